/** Single files out of the two kinds of archive that packages come in, without unpacking the rest. */
import { gunzipSync, inflateRawSync } from 'node:zlib';

const TAR_BLOCK = 512;
const ZIP_END = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** A member of a .tgz by its full path. Throws if it is not there. */
export function fromTarball(archive: Uint8Array, path: string): Uint8Array {
  const tar = gunzipSync(archive);
  for (let at = 0; at + TAR_BLOCK <= tar.length; ) {
    const field = (start: number, length: number): string =>
      tar.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12), 8) || 0;
    const prefix = field(345, 155);
    const name = prefix ? `${prefix}/${field(0, 100)}` : field(0, 100);
    if (name === path) return Uint8Array.from(tar.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size));
    at += TAR_BLOCK * (1 + Math.ceil(size / TAR_BLOCK));
  }
  throw new Error(`no ${path} in the tarball`);
}

/** A member of a wheel (a zip file) by its full path. Throws if it is not there or packed in another way. */
export function fromWheel(archive: Uint8Array, path: string): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let end = archive.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== ZIP_END) end--;
  if (end < 0) throw new Error('not a zip file');
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry++) {
    if (view.getUint32(at, true) !== ZIP_ENTRY) throw new Error('the directory of the zip file is damaged');
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
    if (name === path) {
      const local = view.getUint32(at + 42, true);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const data = archive.subarray(start, start + view.getUint32(at + 20, true));
      const method = view.getUint16(at + 10, true);
      if (method === STORED) return Uint8Array.from(data);
      if (method === DEFLATED) return Uint8Array.from(inflateRawSync(data));
      throw new Error(`${path} is packed by method ${method}`);
    }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  throw new Error(`no ${path} in the zip file`);
}

/** Who a file is: hashes of its bytes and of its picture, both taken without decoding. */
import { createHash } from 'node:crypto';
import type { FileIdentity } from '../../contract/photo.ts';
import { pictureContent } from './content.ts';
import { detectFormat } from './format.ts';
import type { FileBytes } from './read-file.ts';

export const hashFile = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 of the picture's bytes without metadata, followed by one byte of orientation. */
export const hashImage = (bytes: Uint8Array, format: string): string => {
  const { spans, orientation } = pictureContent(bytes, format);
  const hash = createHash('sha256');
  for (const [start, end] of spans) hash.update(bytes.subarray(start, end));
  return hash.update(Uint8Array.of(orientation)).digest('hex');
};

export const identityOf = async ({ bytes, mtimeMs, inode }: FileBytes): Promise<FileIdentity> => {
  const format = await detectFormat(bytes);
  return {
    bytes: bytes.length,
    mtimeMs,
    inode,
    fileHash: hashFile(bytes),
    imageHash: hashImage(bytes, format),
    format,
  };
};

/** What a file is, by its bytes and never by its name. */
import { fileTypeFromBuffer } from 'file-type';
import { rawFormats } from '../../contract/photo.ts';
import { isPicture } from '../kinds.ts';
import { PhotoError } from './failure.ts';
import { isRawTiff } from './raw.ts';

const decodable: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  png: 'png',
  apng: 'png',
  webp: 'webp',
  gif: 'gif',
  tif: 'tiff',
  avif: 'avif',
  heic: 'heic',
  bmp: 'bmp',
};

/** HEIF with a codec other than HEVC and AV1. */
const heifBrands = /^ftyp(mif\d|miaf|msf\d|he[iv][mscx]|j2k[is]|jpe?gs?|avc[is]|vvic)/;

const headBytes = 1024;

/** Bytes that no text holds: control characters other than tab to carriage return, and escape. */
const isBinary = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

const looksLikeText = (head: Uint8Array): boolean => {
  if (head.some(isBinary)) return false;
  try {
    // A cut multi-byte character at the end is no fault of the text.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
};

const isSvg = (head: Uint8Array): boolean => {
  // Decoding takes a byte order mark away.
  const text = new TextDecoder('utf-8').decode(head, { stream: true }).trimStart();
  return text.startsWith('<svg') || (/^<(\?xml|!--|!doctype svg)/i.test(text) && /<svg[\s>/]/i.test(text));
};

/** jpeg, png, webp, gif, tiff, avif, heic, bmp or one of the camera raw formats; throws a PhotoError for all else. */
export const detectFormat = async (bytes: Uint8Array): Promise<string> => {
  const head = bytes.subarray(0, headBytes);
  if (looksLikeText(head)) {
    if (isSvg(head)) throw new PhotoError({ code: 'unsupported_format', params: { format: 'svg' } });
    throw new PhotoError({ code: 'not_an_image', params: { found: 'text' } });
  }
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!type) throw new PhotoError({ code: 'not_an_image', params: { found: 'unknown data' } });
  if (rawFormats.has(type.ext) || (type.ext === 'tif' && isRawTiff(bytes)))
    return type.ext === 'tif' ? 'raw' : type.ext;
  const format = decodable[type.ext];
  if (format) return format;
  if (heifBrands.test(String.fromCharCode(...bytes.subarray(4, 12)))) {
    throw new PhotoError({ code: 'unsupported_format', params: { format: 'heif' } });
  }
  if (isPicture(type)) {
    throw new PhotoError({ code: 'unsupported_format', params: { format: type.ext } });
  }
  throw new PhotoError({ code: 'not_an_image', params: { found: type.ext } });
};

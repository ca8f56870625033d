/** Why a photo could not be read or decoded, thrown inside the image host and sent to the core as data. */
import type { QuarantineReason } from '../../contract/photo.ts';
import type { Failure } from '../protocol.ts';

export class PhotoError extends Error {
  readonly reason: QuarantineReason;
  /** True where trying again may help although the file stays as it is. */
  readonly retryable: boolean;

  constructor(reason: QuarantineReason, retryable = false) {
    super(reason.code);
    this.reason = reason;
    this.retryable = retryable;
  }
}

/** What decoders say of a coding that they do not know, and what a person may call it. */
const unknownCodings: readonly (readonly [RegExp, (found: RegExpMatchArray) => string])[] = [
  [/SOF type 0x(\w+)/, ([, type]) => `with coding ${type}`],
  [/data precision (\d+)/, ([, bits]) => `with ${bits} bits a sample`],
  [/Old-style JPEG/, () => 'with old-style JPEG coding'],
  [/(\w+) compression support is not configured/, ([, name]) => `with ${name} coding`],
  [/samples out of range/, () => 'with samples of more than 32 bits'],
  [/bad labq format/, () => 'with Lab colours'],
  [/Unsupported codec/i, () => 'with a coding of its own'],
];
const decoderLimit = /Image size (\d+)x(\d+) exceeds the maximum image size (\d+)/;

/** The reason that a decoder's complaint comes to: too large, coded in a way that is not known, or broken. */
export const decodeReason = (format: string, error: unknown): QuarantineReason => {
  const message = error instanceof Error ? error.message : String(error);
  const [, width, height, limit] = (decoderLimit.exec(message) ?? []).map(Number);
  if (width && height && limit) return { code: 'too_many_pixels', params: { width, height, limit } };
  for (const [pattern, name] of unknownCodings) {
    const found = message.match(pattern);
    if (found) return { code: 'unsupported_format', params: { format: `${format} ${name(found)}` } };
  }
  return { code: 'undecodable', params: { format, error: plainError(error) } };
};

export const checkPixels = (width: number, height: number, limit: number): void => {
  if (width * height > limit) throw new PhotoError({ code: 'too_many_pixels', params: { width, height, limit } });
};

const maxErrorLength = 200;
const senseless = 'its header makes no sense';
const tooEarly = 'it ends too early';
/** What libraries say that tells a person nothing. */
const plainer: Readonly<Record<string, string>> = {
  'Unknown error': 'its data make no sense',
  'HEIF processing error': 'its data make no sense',
  'webp: unable to parse image': 'its data make no sense',
  'Input buffer contains unsupported image format': senseless,
  'HEIF image not found': 'it holds no picture that can be decoded',
  'Offset is outside the bounds of the DataView': tooEarly,
};

/** What went wrong in one line, without a native library's prefixes and without the warnings that came before it. */
export const plainError = (error: unknown): string => {
  const lines = (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) =>
      line.replace(/^(Input buffer has corrupt header:\s*)?((\w+2vips|Vips\w+|\w+load_buffer): )*/, '').trim(),
    )
    .filter((line) => line !== '');
  const line = lines.find((text) => !/extraneous bytes|^warning/i.test(text)) ?? lines[0] ?? senseless;
  return (plainer[line] ?? line.replace(/^source: bad seek to \d+$/, tooEarly)).slice(0, maxErrorLength);
};

export const failureOf = (error: unknown): Failure =>
  error instanceof PhotoError
    ? { ok: false, reason: error.reason, retryable: error.retryable }
    : { ok: false, reason: { code: 'unreadable', params: { error: plainError(error) } }, retryable: false };

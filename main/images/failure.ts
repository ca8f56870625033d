/** Why a photo could not be read or decoded, thrown inside the image host and sent to the core as data. */
import type { QuarantineReason } from '../contract/photo.ts';
import type { Failure } from './protocol.ts';

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

export const checkPixels = (width: number, height: number, limit: number): void => {
  if (width * height > limit) throw new PhotoError({ code: 'too_many_pixels', params: { width, height, limit } });
};

const maxErrorLength = 200;

/** What went wrong in one line, without a native library's prefixes and without the warnings that came before it. */
export const plainError = (error: unknown): string => {
  const lines = (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.replace(/^(Input buffer has corrupt header|\w+2vips|Vips\w+|\w+load_buffer): /g, '').trim())
    .map((line) => line.replace(/^(\w+2vips|Vips\w+|\w+load_buffer): /, ''))
    .filter((line) => line !== '');
  return (lines.find((line) => !/extraneous bytes|^warning/i.test(line)) ?? lines[0] ?? '').slice(0, maxErrorLength);
};

export const failureOf = (error: unknown): Failure =>
  error instanceof PhotoError
    ? { ok: false, reason: error.reason, retryable: error.retryable }
    : { ok: false, reason: { code: 'unreadable', params: { error: plainError(error) } }, retryable: false };

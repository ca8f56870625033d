/** What is known of a photo's file and content, and why a file could not be judged. */
import { z } from 'zod';

const failure = <C extends string, P extends z.ZodRawShape>(code: C, params: P) =>
  z.object({ code: z.literal(code), params: z.object(params).readonly() }).readonly();

export const quarantineReasonSchema = z.discriminatedUnion('code', [
  failure('empty_file', {}),
  failure('not_an_image', { found: z.string() }),
  failure('unsupported_format', { format: z.string() }),
  failure('unreadable', { error: z.string() }),
  failure('vanished', {}),
  failure('undecodable', { format: z.string(), error: z.string() }),
  failure('too_many_pixels', { width: z.number(), height: z.number(), limit: z.number() }),
  failure('too_many_bytes', { bytes: z.number(), limit: z.number() }),
  failure('kills_host', { host: z.enum(['image', 'inference']), times: z.number() }),
  failure('inference_failed', { error: z.string() }),
  failure('still_changing', {}),
]);
export type QuarantineReason = z.infer<typeof quarantineReasonSchema>;

/** Cheap checks before the model, on a grey copy shrunk to at most 512 pixels. */
export const prescreenSchema = z
  .object({
    /** Variance of the Laplacian. */
    sharpness: z.number(),
    /** Standard deviation of the grey values, 0 to 127.5. */
    deviation: z.number(),
    blurred: z.boolean(),
    flat: z.boolean(),
    small: z.boolean(),
    ms: z.number(),
  })
  .readonly();
export type Prescreen = z.infer<typeof prescreenSchema>;

export type PrescreenThresholds = Readonly<{ blur: number; flat: number; small: number }>;
export const defaultPrescreen: PrescreenThresholds = { blur: 50, flat: 10, small: 64 };

/** Camera raw files, as file-type names them; `raw` is a TIFF-like one that it takes for a plain TIFF. */
export const rawFormats: ReadonlySet<string> = new Set('arw cr2 cr3 dng nef orf raf raw rw2'.split(' '));

/** What a file is, by its bytes; needs no decode. Sizes in bytes, times in UTC milliseconds. */
export type FileIdentity = Readonly<{
  bytes: number;
  mtimeMs: number;
  inode: string;
  /** SHA-256 of all bytes, hex. */
  fileHash: string;
  /** SHA-256 of the encoded image without its metadata, plus the orientation, hex. */
  imageHash: string;
  /** jpeg, png, webp, gif, tiff, avif, heic, bmp ... by magic bytes. */
  format: string;
}>;

/** What decoding told about a photo. Width and height in pixels, after orientation. */
export type DecodedInfo = Readonly<{
  width: number;
  height: number;
  /** Readable only in part: judged, marked, and sent to review. */
  damaged: boolean;
  /** Pages or frames in the file; only the first is judged. */
  frames: number;
  takenAt: string | null;
  camera: string | null;
  hasGps: boolean;
  prescreen: Prescreen | null;
  /** 64 hex digits, near for photos that look alike; null for a flat photo and where the prescreen is off. */
  perceptualHash: string | null;
  timingMs: Readonly<{ read: number; decode: number; prescreen: number; views: number }>;
}>;

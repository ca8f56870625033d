/** Messages between the core and an image host, and the pixel frames that an image host sends to the inference host. */
import type { Operation } from '../contract/operation.ts';
import type { DecodedInfo, FileIdentity, PrescreenThresholds, QuarantineReason } from '../contract/photo.ts';
import type { Tile } from '../contract/preview.ts';
import type { Priority } from '../contract/priority.ts';
import type { ViewSpec } from '../contract/seam.ts';

export type ImageLimits = Readonly<{ maxBytes: number; maxPixels: number }>;

/** Where an inference host takes in pixels. */
export type PixelAddress = Readonly<{ socket: string; token: string }>;

/** What is made of a photo's pixels, and for whom. */
export type PixelTarget = Readonly<{
  views: readonly ViewSpec[];
  address: PixelAddress;
  /** null: prescreen off. */
  prescreen: PrescreenThresholds | null;
}>;

/** How the inference host should treat a photo; travels with its pixels. */
export type Delivery = Readonly<{
  priority: Priority;
  client: string;
  /** UTC milliseconds, or null for none. */
  deadlineAt: number | null;
  operation: Operation;
}>;

export type Failure = Readonly<{ ok: false; reason: QuarantineReason; retryable: boolean }>;
export type Identified = Readonly<{ ok: true; identity: FileIdentity }> | Failure;
/** A picture was written, of this size. */
export type Written = Readonly<{ ok: true; width: number; height: number }> | Failure;
export type Prepared = Readonly<{ ok: true; info: DecodedInfo; sent: boolean }> | Failure;

/**
 * One job is one file: `identify` reads and hashes it and keeps the bytes; `prepare` decodes those bytes, sends the
 * views to its target (unless flat) and lets go of them; `release` lets go without decoding.
 */
export type ImageHostRequest =
  | Readonly<{ kind: 'configure'; limits: ImageLimits }>
  | Readonly<{ kind: 'identify'; job: number; path: string }>
  | Readonly<{ kind: 'prepare'; job: number; target: PixelTarget; delivery: Delivery }>
  | Readonly<{ kind: 'release'; job: number }>
  | Readonly<{ kind: 'preview'; job: number; path: string; size: 256 | 2048; out: string }>
  | Readonly<{ kind: 'tile'; job: number; path: string; tile: Tile; out: string }>;

export type ImageHostReply =
  | Readonly<{ kind: 'ready'; pid: number; decoder: string }>
  | Readonly<{ kind: 'identified'; job: number; result: Identified }>
  | Readonly<{ kind: 'prepared'; job: number; result: Prepared }>
  | Readonly<{ kind: 'preview' | 'tile'; job: number; result: Written }>;

/** Header of a pixel frame; the payload is the views of one photo, in the order of the target, concatenated. */
export type PixelHeader = Readonly<{ job: number; delivery: Delivery }>;
/** First frame of every connection. */
export type HelloHeader = Readonly<{ token: string }>;

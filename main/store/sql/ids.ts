/** Ids that leave the database are UUIDv7 (RFC 9562), kept as 16 bytes. */
import { parse, stringify, v7, validate } from 'uuid';

export const newId = (): Buffer => Buffer.from(parse(v7()));

export const idText = (bytes: Uint8Array): string => stringify(bytes);

/** null for what is no UUID. */
export const idBytes = (text: string): Buffer | null => (validate(text) ? Buffer.from(parse(text)) : null);

/**
 * A verdict's id is a UUIDv7 made of its judging's seed (48 bits of time and 42 random bits, with version and variant)
 * and its photo's key, so that a million verdicts need no column and no index for it.
 */
export const newSeed = (at: number): Buffer => Buffer.from(parse(v7({ msecs: at })).subarray(0, 12));

export const verdictId = (seed: Uint8Array, photo: number): string => {
  const bytes = Buffer.alloc(16);
  bytes.set(seed);
  bytes.writeUInt32BE(photo, 12);
  return stringify(bytes);
};

export const splitVerdictId = (id: string): Readonly<{ seed: Buffer; photo: number }> | null => {
  const bytes = idBytes(id);
  return bytes && { seed: bytes.subarray(0, 12), photo: bytes.readUInt32BE(12) };
};

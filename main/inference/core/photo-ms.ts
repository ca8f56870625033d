import type { DecodedInfo } from '../../contract/photo.ts';
import type { Encoded, EncodeOptions } from './engine-types.ts';

/**
 * What a photo took: one that somebody waits for all in all, another without its waits, which say how much was asked
 * at once and not how fast it is done.
 */
export const photoMs = (
  { timingMs: { read, decode, prescreen, views } }: Pick<DecodedInfo, 'timingMs'>,
  { runMs, totalMs }: Pick<Encoded['timing'], 'runMs' | 'totalMs'>,
  priority: NonNullable<EncodeOptions['priority']>,
): number => (priority === 'interactive' ? totalMs : read + decode + prescreen + views + runMs);

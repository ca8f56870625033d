/** What a scan has come to so far: counts, what could not be judged, and how fast it goes. */
import type { QuarantineReason } from '../contract/photo.ts';
import { startMeter } from './meter.ts';
import type { ScanOutcome, ScanProgress } from './scan-types.ts';

export type ScanTally = Readonly<{
  /** All files are listed now. */
  listed: (found: number, ignored: number) => void;
  /** So many of them must be looked at. */
  expect: (files: number) => void;
  /** `photos`: as many as there are latencies, unless told. */
  judged: (latenciesMs: readonly number[], photos?: number) => void;
  cached: (files: number) => void;
  quarantined: (path: string, reason: QuarantineReason) => void;
  /** A file that was listed is not there any more, or not there as a whole yet. */
  left: () => void;
  outcome: (interrupted: boolean) => ScanOutcome;
}>;

export const startTally = (onProgress: (progress: ScanProgress) => void): ScanTally => {
  const photos = { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 };
  const quarantined: { path: string; reason: QuarantineReason }[] = [];
  const latenciesMs: number[] = [];
  const meter = startMeter();
  let discovering = true;

  const tell = () =>
    onProgress({
      discovering,
      ...photos,
      photosPerSecond: meter.perSecond(),
      etaMs: discovering ? null : meter.etaMs(),
    });

  return {
    listed: (found, ignored) => {
      photos.found = found;
      photos.ignored = ignored;
      discovering = false;
      tell();
    },
    expect: meter.expect,
    judged: (latencies, count = latencies.length) => {
      latenciesMs.push(...latencies);
      photos.judged += count;
      meter.mark(count);
      tell();
    },
    cached: (files) => {
      photos.cached += files;
      tell();
    },
    quarantined: (path, reason) => {
      quarantined.push({ path, reason });
      photos.quarantined++;
      tell();
    },
    left: () => {
      photos.found--;
    },
    outcome: (interrupted) => ({ photos: { ...photos }, quarantined, latenciesMs, interrupted }),
  };
};

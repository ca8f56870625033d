/** How well cached evidence fits a text, photo by photo. Pure. */
import type { AnySeparableAdapter } from '../../contract/seam.ts';
import type { PhotoKey } from '../../store/types.ts';
import type { EvidenceHits } from '../rescore-protocol.ts';

export type Ranker = Readonly<{
  look: (photo: PhotoKey, blob: Uint8Array) => void;
  /** Photos looked at. */
  looked: () => number;
  /** Those that fit, by rising key. */
  take: () => Pick<EvidenceHits, 'photos' | 'scores'>;
}>;

/** A text of several parts fits as well as its weakest. Photos below `least` are passed over. */
export const openRanker = (adapter: AnySeparableAdapter, hypotheses: readonly unknown[], least: number): Ranker => {
  const fits: { photo: PhotoKey; score: number }[] = [];
  let looked = 0;
  return {
    look: (photo, blob) => {
      looked += 1;
      const seen = adapter.openEvidence(blob);
      let score = Number.POSITIVE_INFINITY;
      for (const hypothesis of hypotheses) score = Math.min(score, adapter.score(seen, hypothesis));
      if (score >= least) fits.push({ photo, score });
    },
    looked: () => looked,
    take: () => {
      fits.sort((a, b) => a.photo - b.photo);
      return {
        photos: Uint32Array.from(fits, ({ photo }) => photo),
        scores: Float64Array.from(fits, ({ score }) => score),
      };
    },
  };
};

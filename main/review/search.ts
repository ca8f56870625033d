/** Photos that fit a text, from cached evidence: no inference. */

import { vouchError } from '../contract/errors.ts';
import { VouchFailure } from '../failure.ts';
import { preprocessVersion } from '../images/preprocess-version.ts';
import type { Judging } from '../judging/judging.ts';
import type { Store } from '../store/types.ts';
import { keepHypotheses } from '../verdicts/keep-hypotheses.ts';
import { allHeld, type SearchPorts } from '../verdicts/rescore.ts';
import type { EvidenceHits, PrepareResult } from '../verdicts/rescore-protocol.ts';

/**
 * `notChecked`: words that the pack cannot check; the whole text where it is in a language that it does not speak.
 * `likely`: the score from which a photo probably fits.
 */
export type TextHits = EvidenceHits & Readonly<{ notChecked: readonly string[]; likely: number }>;

const noHits = (): EvidenceHits => ({
  photos: new Uint32Array(),
  scores: new Float64Array(),
  searched: 0,
  unjudged: 0,
});

/**
 * Photos with a score that the pack counts as a fit, or all of them, by their keys.
 * @throws VouchFailure when nothing is left of the text, or the pack keeps no evidence.
 */
export const searchEvidence = async (
  store: Store,
  { pack, rescorer, inputSize }: Judging,
  home: string,
  text: string,
  which: 'fitting' | 'all',
  ports: SearchPorts = {},
): Promise<TextHits> => {
  const { searchFit } = rescorer.pack;
  if (!searchFit) throw new VouchFailure(vouchError('not_searchable', { pack: pack.manifest.id }));
  const least = which === 'fitting' ? searchFit.least : 0;
  const search = async (results: readonly PrepareResult[]): Promise<TextHits> => {
    const { languageSupported, notChecked, normalised, handle } = allHeld(results)[0]!;
    const { likely } = searchFit;
    if (!languageSupported) return { ...noHits(), likely, notChecked: [normalised.parts.join(' ')] };
    const evidence = { packSha256: pack.sha256, precision: null, inputSize, preprocessVersion };
    return { ...(await rescorer.search({ home, evidence, statement: handle, least }, ports)), likely, notChecked };
  };
  return rescorer.withStatements([{ key: 0, text }], search, keepHypotheses(store, rescorer));
};

export type FoundPhotos = Pick<TextHits, 'searched' | 'notChecked'> &
  Readonly<{ items: readonly Readonly<{ path: string; score: number }>[] }>;

/** The `limit` photos that fit best, best first. Throws as `searchEvidence` does. */
export const searchPhotos = async (
  store: Store,
  judging: Judging,
  home: string,
  text: string,
  limit: number,
): Promise<FoundPhotos> => {
  const { photos, scores, searched, notChecked } = await searchEvidence(store, judging, home, text, 'all');
  const best = [...photos.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, limit);
  const shown = await store.photos.shownAs(best.map((i) => photos[i]!));
  const scoreOf = new Map(best.map((i) => [photos[i]!, scores[i]!]));
  return { items: shown.map(({ key, path }) => ({ path, score: scoreOf.get(key) ?? 0 })), searched, notChecked };
};

/** Photos that fit a text best, from cached evidence: no inference. */
import { vouchError } from '../contract/error.ts';
import type { SearchResult } from '../contract/review.ts';
import type { Judging } from '../core.ts';
import { VouchFailure } from '../failure.ts';
import { preprocessVersion } from '../images/views.ts';
import type { Store } from '../store/types.ts';

/** A key that no stored statement has. */
const searchKey = -2;

/** @throws VouchFailure when nothing is left of the text, or the pack keeps no evidence. */
export const searchPhotos = async (
  store: Store,
  { pack, rescorer }: Judging,
  home: string,
  text: string,
  limit: number,
): Promise<SearchResult> => {
  if (rescorer.pack.kind !== 'separable') {
    throw new VouchFailure(vouchError('not_searchable', { pack: pack.manifest.id }));
  }
  const [prepared] = await rescorer.prepare([{ key: searchKey, text }]);
  if (!prepared?.ok) throw new VouchFailure(prepared?.error ?? vouchError('no_statement', {}));
  const { languageSupported, notChecked, normalised } = prepared.value;
  if (!languageSupported) return { items: [], searched: 0, notChecked: [normalised.parts.join(' ')] };
  const { hits, searched } = await rescorer.search({
    home,
    evidence: { packSha256: pack.sha256, precision: null, inputSize: pack.manifest.inputs[0]!.size, preprocessVersion },
    statement: searchKey,
    limit,
  });
  const photos = await store.photos.shownAs(hits.map(({ photo }) => photo));
  const scores = new Map(hits.map(({ photo, score }) => [photo, score]));
  const items = photos.map(({ key, id, ...photo }) => ({ ...photo, photoId: id, score: scores.get(key) ?? 0 }));
  return { items, searched, notChecked };
};

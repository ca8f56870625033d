/** Which keywords one photo's path gains and loses, by the tag rule of the policy. Pure. */
import type { Tagging } from '../../contract/tagging.ts';
import { earnsTag } from '../../policy/effective-label.ts';
import type { TagPair, TagRecord } from '../../store/types.ts';
import { keywordOf } from './keywords.ts';

export type TagRules = Readonly<{
  /** Root of Vouch's keywords. */
  prefix: string;
  lowestGrade: 'high' | 'medium';
}>;

export type PathSituation = Readonly<{
  mode: Tagging;
  /** Where keywords of this path go; '' unless the mode is `xmp`. */
  sidecar: string;
  /** All keywords that stand in that sidecar now. */
  present: readonly string[];
  pairs: readonly TagPair[];
  /** What Vouch has set at this path. */
  records: readonly TagRecord[];
  /** Keywords in that sidecar that Vouch has set when the photo lay elsewhere: photo and sidecar were moved. */
  moved: readonly string[];
  /** An export was asked for: what is missing is written again, and what is not in its scope is not added. */
  by: 'folder' | 'export';
}>;

type Named = Readonly<{ tag: string; keyword: string }>;

export type PathPlan = Readonly<{
  apply: readonly Named[];
  /** Keywords that stand there and are Vouch's, but are not noted as such at this path. */
  adopt: readonly Named[];
  /** How many that are noted and earned stay as they are. */
  kept: number;
  withdraw: readonly TagRecord[];
  /** Moved keywords that are no longer earned. */
  strip: readonly string[];
}>;

export const planPath = (situation: PathSituation, { prefix, lowestGrade }: TagRules): PathPlan => {
  const { mode, sidecar, present, pairs, records, moved, by } = situation;
  const keyword = (tag: string): string => (mode === 'xmp' ? keywordOf(prefix, tag) : tag);
  const isEarned = (tag: string, among: readonly TagPair[]): boolean =>
    among.some((pair) => pair.tag === tag && earnsTag(pair, lowestGrade));

  const inScope = pairs.filter((pair) => pair.inScope);
  const tags = mode === 'off' ? [] : [...new Set(pairs.map(({ tag }) => tag))];
  const apply: Named[] = [];
  const adopt: Named[] = [];
  let kept = 0;
  const holding = new Set<string>();
  for (const tag of tags) {
    const own = keyword(tag);
    if (own === '' || holding.has(own)) continue;
    const record = records.find((one) => one.sidecar === sidecar && one.keyword === own);
    const stands = mode === 'xmp' && present.includes(own);
    const ours = record?.written || (stands && (record !== undefined || moved.includes(own)));
    if (!isEarned(tag, pairs)) continue;
    holding.add(own);
    if (ours) {
      // What a person took out of a sidecar stays out, unless they ask for it by an export.
      if (by === 'export' && !stands) apply.push({ tag, keyword: own });
      else if (!record?.written) adopt.push({ tag, keyword: own });
      else kept++;
    } else if (!stands && (by === 'folder' || isEarned(tag, inScope))) {
      apply.push({ tag, keyword: own });
    }
  }
  // A folder that is not tagged (any more) loses what was set because it was, not what a person exported.
  const loses = (record: TagRecord): boolean =>
    !(record.sidecar === sidecar && holding.has(record.keyword)) &&
    (mode === 'xmp' || record.by === 'folder') &&
    (by === 'folder' || record.sidecar !== '');
  const strip = moved.filter(
    (own) => present.includes(own) && !holding.has(own) && !records.some((one) => one.keyword === own),
  );
  return { apply, adopt, kept, withdraw: records.filter(loses), strip };
};

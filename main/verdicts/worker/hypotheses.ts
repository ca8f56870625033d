/** What a pack makes of statements' parts, each made once: the latest thousand are at hand. */
import { LRUCache } from 'lru-cache';
import type { AnySeparableAdapter, RunGraph } from '../../contract/seam.ts';

/** How often a part was found made ready, and how often it was not. */
export type StatementCache = Readonly<{ hits: number; misses: number }>;

export type Hypotheses = Readonly<{
  /** Of each part, which need not differ. */
  of: (parts: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  /** Since this was opened. */
  cache: () => StatementCache;
}>;

const kept = 1000;

export const openHypotheses = ({ encodeStatements }: AnySeparableAdapter, run: RunGraph): Hypotheses => {
  const latest = new LRUCache<string, Readonly<{ hypothesis: unknown }>>({ max: kept });
  let counted: StatementCache = { hits: 0, misses: 0 };

  return {
    async of(parts) {
      const found = new Map<string, unknown>();
      const missing = new Set<string>();
      for (const part of parts) {
        const known = latest.get(part);
        if (known) found.set(part, known.hypothesis);
        else missing.add(part);
      }
      counted = { hits: counted.hits + parts.length - missing.size, misses: counted.misses + missing.size };
      if (missing.size === 0) return found;
      const made = await encodeStatements([...missing], run);
      for (const [i, part] of [...missing].entries()) {
        latest.set(part, { hypothesis: made[i] });
        found.set(part, made[i]);
      }
      return found;
    },
    cache: () => counted,
  };
};

/**
 * What a pack makes of statements' parts. The latest thousand are at hand; those that graphs made are read from the
 * store, if they are kept there.
 */
import { LRUCache } from 'lru-cache';
import type { AnySeparableAdapter, RunGraph } from '../../contract/seam.ts';
import type { NewHypothesis } from '../../store/types.ts';

/** How often a part was found made ready, at hand or in the store, and how often it was not. */
export type StatementCache = Readonly<{ hits: number; misses: number }>;

export type Hypotheses = Readonly<{
  /** Of each part, which need not differ. */
  of: (parts: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  /** Of these parts, the hypotheses that graphs made and that nobody has asked for in this way: whoever does keeps them. */
  toKeep: (parts: readonly string[]) => readonly NewHypothesis[];
  /** Since this was opened. */
  cache: () => StatementCache;
}>;

type Made = { readonly hypothesis: unknown; kept: boolean };

const atHand = 1000;
/** Statements that go through a graph in one run. */
const atOnce = 32;

/** `stored`: bytes of those parts that are kept. */
export const openHypotheses = (
  { encodeStatements, hypothesisBytes }: AnySeparableAdapter,
  run: RunGraph,
  stored: (parts: readonly string[]) => ReadonlyMap<string, Uint8Array>,
): Hypotheses => {
  const latest = new LRUCache<string, Made>({ max: atHand });
  let counted: StatementCache = { hits: 0, misses: 0 };

  const fromStore = (parts: readonly string[]): ReadonlyMap<string, unknown> => {
    if (!hypothesisBytes || parts.length === 0) return new Map();
    const found = new Map<string, unknown>();
    for (const [part, bytes] of stored(parts)) {
      try {
        found.set(part, hypothesisBytes.open(bytes));
      } catch {
        // Bytes that the adapter cannot read are made anew.
      }
    }
    return found;
  };

  return {
    async of(parts) {
      const found = new Map<string, unknown>();
      for (const part of parts) {
        const known = latest.get(part);
        if (known) found.set(part, known.hypothesis);
      }
      for (const [part, hypothesis] of fromStore([...new Set(parts)].filter((part) => !found.has(part)))) {
        latest.set(part, { hypothesis, kept: true });
        found.set(part, hypothesis);
      }
      const missing = [...new Set(parts)].filter((part) => !found.has(part));
      counted = { hits: counted.hits + parts.length - missing.length, misses: counted.misses + missing.length };
      for (let at = 0; at < missing.length; at += atOnce) {
        const some = missing.slice(at, at + atOnce);
        const made = await encodeStatements(some, run);
        for (const [i, part] of some.entries()) {
          latest.set(part, { hypothesis: made[i], kept: false });
          found.set(part, made[i]);
        }
      }
      return found;
    },
    toKeep: (parts) => {
      if (!hypothesisBytes) return [];
      return [...new Set(parts)].flatMap((text) => {
        const made = latest.peek(text);
        if (!made || made.kept) return [];
        made.kept = true;
        return [{ text, blob: hypothesisBytes.pack(made.hypothesis) }];
      });
    },
    cache: () => counted,
  };
};

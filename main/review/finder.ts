/** The search of a window: one text at a time, held by the store so that filters and orders combine with it. */

import type { Judging } from '../judging/judging.ts';
import type { Ranking, Store } from '../store/types.ts';
import type { SearchPorts } from '../verdicts/rescore.ts';
import type { SearchProgress } from '../verdicts/rescore-protocol.ts';
import { searchEvidence, type TextHits } from './search.ts';

type Found = Pick<TextHits, 'searched' | 'unjudged'> & Readonly<{ ranking: Ranking }>;

export type Finder = Readonly<{
  /**
   * What fits a text. A search for the same text is joined, or its outcome used again, unless photos were judged since
   * and `fresh` asks for those too; one for another text is given up, and rejects as `cancelled`.
   */
  find: (text: string, options?: Readonly<{ fresh?: boolean; signal?: AbortSignal }>) => Promise<Found>;
  /** Photos have been judged: what was found may lack some. */
  outdate: () => void;
}>;

type Held = Readonly<{ text: string; judging: Judging; found: Promise<Found>; stop: () => void }> & {
  outdated: boolean;
};

export const openFinder = (
  store: Store,
  judging: () => Promise<Judging>,
  home: string,
  tell: (progress: SearchProgress) => void,
): Finder => {
  let held: Held | null = null;

  const search = async (opened: Judging, text: string, ports: SearchPorts): Promise<Found> => {
    const found = await searchEvidence(store, opened, home, text, 'fitting', ports);
    const { photos, scores, searched, unjudged, likely } = found;
    ports.signal?.throwIfAborted();
    const ranking: Ranking = { text, photos, scores, likely };
    await store.results.rank(ranking);
    return { ranking, searched, unjudged };
  };

  const start = (opened: Judging, text: string): Held => {
    held?.stop();
    const controller = new AbortController();
    const found = search(opened, text, { onProgress: tell, signal: controller.signal });
    const next: Held = { text, judging: opened, found, stop: () => controller.abort(), outdated: false };
    found.catch(() => {
      if (held === next) held = null;
    });
    held = next;
    return next;
  };

  return {
    find: async (text, { fresh = false, signal } = {}) => {
      const opened = await judging();
      signal?.throwIfAborted();
      const known = held?.text === text && held.judging === opened && !(fresh && held.outdated) ? held : null;
      const now = known ?? start(opened, text);
      signal?.addEventListener('abort', now.stop, { once: true });
      return now.found.finally(() => signal?.removeEventListener('abort', now.stop));
    },
    outdate: () => {
      if (held) held.outdated = true;
    },
  };
};

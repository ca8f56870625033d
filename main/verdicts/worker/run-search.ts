/** Looks at all evidence, in turns with what else is asked. A search that was cancelled finds what it had seen. */
import type { AnySeparableAdapter } from '../../contract/seam.ts';
import type { Call } from '../../hosts/rpc.ts';
import { openEvidenceReader } from '../../store/sql/read-evidence.ts';
import type { EvidenceHits, EvidenceSearch, SearchProgress } from '../rescore-protocol.ts';
import type { PreparedStatement } from './judge-statement.ts';
import { nextTurn } from './next-turn.ts';
import { openRanker } from './rank-evidence.ts';

/** A search goes on for so long at a time; it looks at the clock once for so many photos. */
const turnMs = 50;
const photosPerLook = 64;

export const runSearch = async (
  adapter: AnySeparableAdapter,
  { home, evidence, least }: EvidenceSearch,
  { hypotheses }: PreparedStatement,
  { signal, tell, handOver }: Call<SearchProgress>,
): Promise<EvidenceHits> => {
  const reader = openEvidenceReader(home);
  try {
    const total = reader.judgeable();
    const ranker = openRanker(adapter, hypotheses, least);
    let turnEnds = performance.now() + turnMs;
    for (const { photo, blob } of reader.all(evidence)) {
      ranker.look(photo, blob);
      if (ranker.looked() % photosPerLook > 0 || performance.now() < turnEnds) continue;
      void tell({ done: ranker.looked(), total });
      await nextTurn();
      if (signal.aborted) break;
      turnEnds = performance.now() + turnMs;
    }
    const found = { ...ranker.take(), searched: ranker.looked(), unjudged: Math.max(0, total - ranker.looked()) };
    handOver([found.photos.buffer, found.scores.buffer]);
    return found;
  } finally {
    reader.close();
  }
};

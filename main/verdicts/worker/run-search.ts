/** Looks at all evidence, in turns with what else is asked. A search that was cancelled finds what it had seen. */
import type { AnySeparableAdapter } from '../../contract/seam.ts';
import { openEvidenceReader } from '../../store/sql/read-evidence.ts';
import type { EvidenceSearch, RescoreReply } from '../rescore-protocol.ts';
import type { PreparedStatement } from './judge-statement.ts';
import { nextTurn, type Running } from './long-work.ts';
import { openRanker } from './rank-evidence.ts';

/** A search goes on for so long at a time; it looks at the clock once for so many photos. */
const turnMs = 50;
const photosPerLook = 64;

export const runSearch = async (
  adapter: AnySeparableAdapter,
  id: number,
  { home, evidence, least }: EvidenceSearch,
  { hypotheses }: PreparedStatement,
  running: Running,
  reply: (message: RescoreReply, transfer?: readonly ArrayBuffer[]) => void,
): Promise<void> => {
  const reader = openEvidenceReader(home);
  try {
    const total = reader.judgeable();
    const ranker = openRanker(adapter, hypotheses, least);
    let turnEnds = performance.now() + turnMs;
    for (const { photo, blob } of reader.all(evidence)) {
      ranker.look(photo, blob);
      if (ranker.looked() % photosPerLook > 0 || performance.now() < turnEnds) continue;
      reply({ kind: 'searching', id, progress: { done: ranker.looked(), total } });
      await nextTurn();
      if (running.cancelled) break;
      turnEnds = performance.now() + turnMs;
    }
    const found = { ...ranker.take(), searched: ranker.looked(), unjudged: Math.max(0, total - ranker.looked()) };
    reply({ kind: 'found', id, found }, [found.photos.buffer, found.scores.buffer]);
  } finally {
    reader.close();
  }
};

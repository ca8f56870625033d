/** Judges cached evidence page by page and sends the rows, no further ahead of the store than it can follow. */
import type { AnySeparableAdapter } from '../../contract/seam.ts';
import { openEvidenceReader } from '../../store/sql/read-evidence.ts';
import type { RescoreProgress, RescoreQuery, RescoreReply } from '../rescore-protocol.ts';
import { buffersOf } from './columns.ts';
import type { KnownStatement } from './judge-photo.ts';
import type { StatementJudge } from './judge-statement.ts';
import { nextTurn, type Running } from './long-work.ts';
import { openScorer } from './rescore-evidence.ts';

/** Rows of one message, and rows that may be on their way to the store before judging waits for it. */
const rowsPerMessage = 10_000;
const rowsAhead = 200_000;

export const runRescore = async (
  { adapter, judge }: Readonly<{ adapter: AnySeparableAdapter; judge: StatementJudge }>,
  id: number,
  { home, wanted, otherwise }: RescoreQuery,
  statements: readonly KnownStatement[],
  running: Running,
  reply: (message: RescoreReply, transfer?: readonly ArrayBuffer[]) => void,
): Promise<void> => {
  const pageSize = Math.max(1, Math.ceil(rowsPerMessage / Math.max(1, statements.length)));
  const scorer = openScorer(adapter, judge, statements, otherwise, pageSize);
  const reader = openEvidenceReader(home);
  let sent = 0;
  let photos = 0;
  const progress = (): RescoreProgress => ({ photos, counts: scorer.counts() });
  try {
    for (const page of reader.pages(wanted, pageSize)) {
      const groups = scorer.judgePage(page);
      photos += page.length;
      for (const rows of groups) {
        sent += rows.verdicts.reduce((sum, { photos: keys }) => sum + keys.length, 0);
        reply({ kind: 'rows', id, rows, progress: progress() }, rows.verdicts.flatMap(buffersOf));
      }
      await nextTurn();
      while (sent - running.stored > rowsAhead && !running.cancelled) {
        await new Promise<void>((resolve) => {
          running.wake = resolve;
        });
      }
      if (running.cancelled) break;
    }
    reply({ kind: 'rescored', id, progress: progress(), cancelled: running.cancelled });
  } finally {
    reader.close();
  }
};

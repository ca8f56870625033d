/** Judges what needs no model page by page and sends the rows, no further ahead of the store than it can follow. */
import type { Adapter } from '../../contract/seam.ts';
import type { Call } from '../../hosts/rpc.ts';
import { openEvidenceReader } from '../../store/sql/read-evidence.ts';
import type { JudgedPage, RescoreOutcome, RescoreProgress, RescoreQuery } from '../rescore-protocol.ts';
import { buffersOf } from './columns.ts';
import type { KnownStatement } from './judge-photo.ts';
import type { StatementJudge } from './judge-statement.ts';
import { nextTurn } from './next-turn.ts';
import { openScorer } from './rescore-evidence.ts';

/** Rows of one message, and rows that may be on their way to the store before judging waits for it. */
const rowsPerMessage = 10_000;
const rowsAhead = 200_000;

/** Judges on until so many rows are on their way, and again as soon as some have been stored or nobody wants more. */
const openWindow = (signal: AbortSignal) => {
  let ahead = 0;
  let wake = (): void => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    send: (rows: number, dealtWith: Promise<void>): void => {
      ahead += rows;
      void dealtWith.then(() => {
        ahead -= rows;
        wake();
      });
    },
    room: async (): Promise<void> => {
      while (ahead > rowsAhead && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};

export const runRescore = async (
  { adapter, judge }: Readonly<{ adapter: Adapter; judge: StatementJudge }>,
  { home, wanted, otherwise }: RescoreQuery,
  statements: readonly KnownStatement[],
  { signal, tell }: Call<JudgedPage>,
): Promise<RescoreOutcome> => {
  if (adapter.kind === 'joint' && wanted.evidence) throw new Error('a joint pack keeps no evidence');
  const pageSize = Math.max(1, Math.ceil(rowsPerMessage / Math.max(1, statements.length)));
  const scorer = openScorer(adapter, judge, statements, otherwise, pageSize);
  const reader = openEvidenceReader(home);
  const window = openWindow(signal);
  let photos = 0;
  const progress = (): RescoreProgress => ({ photos, counts: scorer.counts() });
  try {
    for (const page of reader.pages(wanted, pageSize)) {
      const groups = scorer.judgePage(page);
      photos += page.length;
      for (const rows of groups) {
        const size = rows.verdicts.reduce((sum, { photos: keys }) => sum + keys.length, 0);
        window.send(size, tell({ rows, progress: progress() }, rows.verdicts.flatMap(buffersOf)));
      }
      await nextTurn();
      await window.room();
      if (signal.aborted) break;
    }
    return { ...progress(), cancelled: signal.aborted };
  } finally {
    reader.close();
  }
};

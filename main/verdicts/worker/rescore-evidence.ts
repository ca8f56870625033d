/** Judges what needs no model page by page: counts as it goes, and rows to store. Pure. */
import type { Adapter, Judgement } from '../../contract/seam.ts';
import type { LabelCounts } from '../../contract/views.ts';
import { type Marks, noMarks, undecided, type Verdict } from '../../policy/policy.ts';
import type { StoredEvidence } from '../../store/sql/read-evidence.ts';
import type { PackedVerdicts } from '../../store/types.ts';
import type { MadeBy, RescoredRows, StatementCount } from '../rescore-protocol.ts';
import { openColumns } from './columns.ts';
import type { KnownStatement } from './judge-photo.ts';
import type { PreparedStatement, StatementJudge } from './judge-statement.ts';

export type Scorer = Readonly<{
  /** Rows to store, grouped by what made the evidence. */
  judgePage: (page: readonly StoredEvidence[]) => readonly RescoredRows[];
  /** A copy of the counts so far. */
  counts: () => readonly StatementCount[];
}>;

const groupsOf = (
  page: readonly StoredEvidence[],
  otherwise: MadeBy,
): readonly [MadeBy, readonly StoredEvidence[]][] => {
  const groups = new Map<string, [MadeBy, StoredEvidence[]]>();
  for (const row of page) {
    const { precision = otherwise.precision, device = otherwise.device } = row;
    const key = `${precision} ${device}`;
    const group = groups.get(key);
    if (group) group[1].push(row);
    else groups.set(key, [{ precision, device }, [row]]);
  }
  return [...groups.values()];
};

const marksOf = ({ damaged, blurred, small }: StoredEvidence): Marks => ({ ...noMarks, damaged, blurred, small });

/** `pageSize`: the most rows that a page may hold. */
export const openScorer = (
  adapter: Adapter,
  judge: StatementJudge,
  statements: readonly KnownStatement[],
  otherwise: MadeBy,
  pageSize: number,
): Scorer => {
  const open = statements.map(({ key, hypothesisHash, prepared }) => ({
    key,
    prepared,
    columns: openColumns(key, hypothesisHash, pageSize),
    labels: { yes: 0, no: 0, maybe: 0 } satisfies LabelCounts as Record<keyof LabelCounts, number>,
    wantsReview: 0,
  }));
  const byKey = new Map(open.map((statement) => [statement.key, statement]));

  /** How to judge a statement on the photo; null where that takes a model. */
  const judgeOf = (
    row: StoredEvidence,
  ): ((prepared: PreparedStatement) => Readonly<{ judgement: Judgement | null; verdict: Verdict }> | null) => {
    const marks = marksOf(row);
    if (row.blob && adapter.kind === 'separable') {
      const evidence = adapter.openEvidence(row.blob);
      return (prepared) => judge.judge(evidence, prepared, marks);
    }
    if (row.flat) {
      const verdict = undecided({ code: 'flat', params: { standardDeviation: row.deviation ?? 0 } });
      return () => ({ judgement: null, verdict });
    }
    return (prepared) => (prepared.languageSupported ? null : judge.decideParts([], prepared, marks));
  };

  const judgeRow = (row: StoredEvidence) => {
    const judgeOne = judgeOf(row);
    for (const key of row.missing) {
      const statement = byKey.get(key);
      const judged = statement && judgeOne(statement.prepared);
      if (!judged) continue;
      const { judgement, verdict } = judged;
      statement.columns.add(row.photo, judgement, verdict);
      statement.labels[verdict.label] += 1;
      if (verdict.wantsReview) statement.wantsReview += 1;
    }
  };

  return {
    judgePage: (page) =>
      groupsOf(page, otherwise).map(([madeBy, rows]) => {
        for (const row of rows) judgeRow(row);
        const verdicts: readonly PackedVerdicts[] = open
          .map(({ columns }) => columns.take())
          .filter(({ photos }) => photos.length > 0);
        return { ...madeBy, verdicts };
      }),
    counts: () => open.map(({ key, labels, wantsReview }) => ({ statement: key, labels: { ...labels }, wantsReview })),
  };
};

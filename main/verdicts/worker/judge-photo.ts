/** All verdicts on one photo that was just looked at, or that could not be. Pure. */
import type { Adapter } from '../../contract/seam.ts';
import { undecided, type Verdict } from '../../policy/policy.ts';
import type { StatementKey } from '../../store/types.ts';
import type { JudgedRow, PhotoToJudge } from '../rescore-protocol.ts';
import type { PreparedStatement, StatementJudge } from './judge-statement.ts';

export type KnownStatement = Readonly<{ key: StatementKey; hypothesisHash: string; prepared: PreparedStatement }>;

type Seen = PhotoToJudge['seen'];
type Outcome = Pick<JudgedRow, 'p' | 'caps' | 'explanation'> & Readonly<{ verdict: Verdict }>;

const nothing = { p: null, caps: [], explanation: null } as const;

/** A joint pack's judgements come in one list: for each statement in turn, one for each of its parts. */
const dealOut = (all: Extract<Seen, { kind: 'judgements' }>['judgements'], statements: readonly KnownStatement[]) => {
  let from = 0;
  return statements.map(({ prepared }) => {
    const own = all.slice(from, from + prepared.parts.length);
    from += prepared.parts.length;
    return own;
  });
};

const outcomesOf = (
  adapter: Adapter,
  judge: StatementJudge,
  { seen, marks }: PhotoToJudge,
  statements: readonly KnownStatement[],
  explain: boolean,
): readonly Outcome[] => {
  switch (seen.kind) {
    case 'flat': {
      const verdict = undecided({ code: 'flat', params: { standardDeviation: seen.deviation } });
      return statements.map(() => ({ ...nothing, verdict }));
    }
    case 'timed_out': {
      const verdict = undecided({ code: 'timed_out', params: { limitMs: seen.limitMs } });
      return statements.map(() => ({ ...nothing, verdict }));
    }
    case 'judgements': {
      const parts = dealOut(seen.judgements, statements);
      return statements.map(({ prepared }, i) => {
        const { judgement, verdict } = judge.decideParts(parts[i] ?? [], prepared, marks);
        return { p: judgement.p, caps: judgement.caps, verdict, explanation: null };
      });
    }
    case 'evidence': {
      if (adapter.kind !== 'separable') throw new TypeError('a joint pack has no evidence to judge on');
      const evidence = adapter.openEvidence(seen.evidence);
      return statements.map(({ prepared }) => {
        const { judgement, verdict } = judge.judge(evidence, prepared, marks);
        const explanation = explain ? judge.explain(evidence, prepared) : null;
        return { p: judgement.p, caps: judgement.caps, verdict, explanation };
      });
    }
  }
};

/** One row for each statement, in order; explanations only where asked for and where the pack can tell. */
export const judgePhoto = (
  adapter: Adapter,
  judge: StatementJudge,
  photo: PhotoToJudge,
  statements: readonly KnownStatement[],
  explain: boolean,
): readonly JudgedRow[] =>
  outcomesOf(adapter, judge, photo, statements, explain).map(({ p, caps, explanation, verdict }, i) => {
    const { key, hypothesisHash } = statements[i]!;
    const { p: adjusted, ...decided } = verdict;
    return { statement: key, hypothesisHash, p, caps, ...decided, adjusted, explanation };
  });

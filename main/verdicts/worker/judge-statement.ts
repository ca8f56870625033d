/** Judges prepared statements on evidence: the one way from what a separable pack saw to a verdict. Pure but for its cache. */
import { LRUCache } from 'lru-cache';
import type { Explanation, LookedFor } from '../../contract/reason.ts';
import type { Adapter, AnySeparableAdapter, Judgement } from '../../contract/seam.ts';
import type { NormalisedStatement } from '../../contract/statement.ts';
import type { Calibration } from '../../policy/calibration.ts';
import {
  chooseThresholds,
  combineParts,
  decide,
  languageUnsupported,
  type Marks,
  type ThresholdSources,
  type Thresholds,
  type Verdict,
} from '../../policy/policy.ts';

/** What a pack brings to a verdict, and what its user has set for it. */
export type JudgingPack = Readonly<{
  sha256: string;
  languages: readonly string[];
  thresholds?: Partial<Thresholds> | undefined;
  riskControl?: Partial<Thresholds> | undefined;
}>;

/** A statement made ready for one pack; `parts` is empty where the pack does not speak its language. */
export type PreparedStatement = Readonly<{
  normalised: NormalisedStatement;
  languageSupported: boolean;
  thresholds: Thresholds;
  calibration: Calibration | undefined;
  /** The label that sends a photo to spot-check. */
  flag: 'yes' | 'no' | undefined;
  /** What the pack is to judge; `hypotheses` only where it is separable. */
  parts: readonly string[];
  hypotheses: readonly unknown[];
  /** Words that the pack cannot check on any photo. */
  notChecked: readonly string[];
  /** What it looks for; null where the pack compares a text as a whole. */
  looksFor: readonly LookedFor[] | null;
}>;

/** `judgement` is raw, and all that the policy needs to decide again. */
type Judged = Readonly<{ judgement: Judgement; verdict: Verdict }>;

export type StatementJudge = Readonly<{
  prepare: (
    normalised: NormalisedStatement,
    own: Readonly<{
      thresholds?: ThresholdSources['statement'];
      calibration?: Calibration | undefined;
      flag?: 'yes' | 'no' | undefined;
    }>,
  ) => PreparedStatement;
  /** `evidence` as a separable adapter opened it. */
  judge: (evidence: unknown, statement: PreparedStatement, marks: Marks) => Judged;
  /** What a joint pack said of each of the statement's parts. */
  decideParts: (parts: readonly Judgement[], statement: PreparedStatement, marks: Marks) => Judged;
  /** null for a joint pack, which cannot tell. */
  explain: (evidence: unknown, statement: PreparedStatement) => Explanation | null;
}>;

const cachedHypotheses = 1000;

/** Of every pack used, by its hash and the part. */
const hypotheses = new LRUCache<string, Readonly<{ hypothesis: unknown }>>({ max: cachedHypotheses });

/** How often a statement's part was found made ready, and how often it was not. */
export type StatementCache = Readonly<{ hits: number; misses: number }>;
let counted: StatementCache = { hits: 0, misses: 0 };
/** Since this thread started. */
export const statementCache = (): StatementCache => counted;

/** Text without letters ("und") is for the pack to make sense of. */
const speaks = (languages: readonly string[], language: string): boolean =>
  language === 'und' || languages.includes(language);

export const createStatementJudge = (adapter: Adapter, pack: JudgingPack): StatementJudge => {
  const separable = adapter.kind === 'separable' ? adapter : undefined;
  const hypothesisOf = ({ version, encodeStatement }: AnySeparableAdapter, part: string): unknown => {
    const key = `${pack.sha256} ${version} ${part}`;
    const known = hypotheses.get(key);
    counted = known ? { ...counted, hits: counted.hits + 1 } : { ...counted, misses: counted.misses + 1 };
    if (known) return known.hypothesis;
    const hypothesis = encodeStatement(part);
    hypotheses.set(key, { hypothesis });
    return hypothesis;
  };

  const conclude = (
    judgement: Judgement,
    { thresholds, calibration, flag }: PreparedStatement,
    marks: Marks,
  ): Judged => {
    const verdict = decide(judgement, thresholds, calibration, marks);
    return { judgement, verdict: verdict.label === flag ? { ...verdict, wantsReview: true } : verdict };
  };
  const decideParts: StatementJudge['decideParts'] = (parts, statement, marks) => {
    const { languageSupported, normalised } = statement;
    const judgement = languageSupported
      ? combineParts(parts, normalised.cut)
      : languageUnsupported(normalised.language);
    return conclude(judgement, statement, marks);
  };

  return {
    prepare(normalised, { thresholds, calibration, flag }) {
      const languageSupported = speaks(pack.languages, normalised.language);
      const parts = languageSupported ? normalised.parts : [];
      const hypotheses = separable ? parts.map((part) => hypothesisOf(separable, part)) : [];
      return {
        normalised,
        languageSupported,
        thresholds: chooseThresholds({ statement: thresholds, riskControl: pack.riskControl, pack: pack.thresholds }),
        calibration,
        flag,
        parts,
        hypotheses,
        notChecked: [...new Set(hypotheses.flatMap((hypothesis) => separable?.notChecked(hypothesis) ?? []))],
        looksFor: separable?.looksFor ? hypotheses.flatMap(separable.looksFor) : null,
      };
    },
    judge(evidence, statement, marks) {
      if (!separable) throw new TypeError('a joint pack has no evidence to judge on');
      const { hypotheses: all, normalised } = statement;
      if (all.length === 1 && normalised.cut.length === 0) {
        return conclude(separable.judge(evidence, all[0]), statement, marks);
      }
      return decideParts(
        all.map((hypothesis) => separable.judge(evidence, hypothesis)),
        statement,
        marks,
      );
    },
    decideParts,
    explain(evidence, { hypotheses: all }) {
      if (!separable) return null;
      const explanations = all.map((hypothesis) => separable.explain(evidence, hypothesis));
      return {
        concepts: explanations.flatMap(({ concepts }) => concepts),
        notChecked: [...new Set(explanations.flatMap(({ notChecked }) => notChecked))],
      };
    },
  };
};

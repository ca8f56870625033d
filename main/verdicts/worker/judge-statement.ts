/** Judges prepared statements on evidence: the one way from what a separable pack saw to a verdict. Pure. */
import type { Explanation, LookedFor } from '../../contract/reason.ts';
import type { Adapter, Judgement } from '../../contract/seam.ts';
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

/** How a statement of its own is to be decided; what is left out is as the pack has it. */
export type OwnRules = Readonly<{
  thresholds?: ThresholdSources['statement'];
  calibration?: Calibration | undefined;
  flag?: 'yes' | 'no' | undefined;
}>;

export type StatementJudge = Readonly<{
  /** What the pack is to judge of a statement; nothing where it does not speak its language. */
  partsOf: (normalised: NormalisedStatement) => readonly string[];
  /** `hypotheses`: what a separable pack made of those parts. */
  prepare: (
    normalised: NormalisedStatement,
    hypotheses: ReadonlyMap<string, unknown>,
    own: OwnRules,
  ) => PreparedStatement;
  /** The same statement, to be decided as this judge and these rules have it. */
  settle: (statement: PreparedStatement, own: OwnRules) => PreparedStatement;
  /** `evidence` as a separable adapter opened it. */
  judge: (evidence: unknown, statement: PreparedStatement, marks: Marks) => Judged;
  /** What a joint pack said of each of the statement's parts. */
  decideParts: (parts: readonly Judgement[], statement: PreparedStatement, marks: Marks) => Judged;
  /** null for a joint pack, which cannot tell. */
  explain: (evidence: unknown, statement: PreparedStatement) => Explanation | null;
}>;

/** Text without letters ("und") is for the pack to make sense of. */
const speaks = (languages: readonly string[], language: string): boolean =>
  language === 'und' || languages.includes(language);

export const createStatementJudge = (adapter: Adapter, pack: JudgingPack): StatementJudge => {
  const separable = adapter.kind === 'separable' ? adapter : undefined;
  const partsOf: StatementJudge['partsOf'] = ({ parts, language }) => (speaks(pack.languages, language) ? parts : []);

  const decided = ({ thresholds, calibration, flag }: OwnRules) => ({
    thresholds: chooseThresholds({ statement: thresholds, riskControl: pack.riskControl, pack: pack.thresholds }),
    calibration,
    flag,
  });

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
    partsOf,
    prepare(normalised, made, own) {
      const parts = partsOf(normalised);
      const hypotheses = separable ? parts.map((part) => made.get(part)) : [];
      return {
        normalised,
        languageSupported: speaks(pack.languages, normalised.language),
        ...decided(own),
        parts,
        hypotheses,
        notChecked: [...new Set(hypotheses.flatMap((hypothesis) => separable?.notChecked(hypothesis) ?? []))],
        looksFor: separable?.looksFor ? hypotheses.flatMap(separable.looksFor) : null,
      };
    },
    settle: (statement, own) => ({ ...statement, ...decided(own) }),
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

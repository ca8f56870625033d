/** Makes statements ready for a pack: normalised, read by it, and with the thresholds that hold. */
import type { VouchError } from '../../contract/errors.ts';
import type { Pack } from '../../contract/pack.ts';
import type { Result } from '../../contract/result.ts';
import type { Adapter } from '../../contract/seam.ts';
import type { LocalPolicy } from '../../policy/policy.ts';
import type { ColloquialTable } from '../../statements/colloquial.ts';
import { asWritten, hypothesisHash, normalise } from '../../statements/normalise.ts';
import type { PreparedInfo, StatementToJudge } from '../rescore-protocol.ts';
import type { HeldStatement } from './held-statements.ts';
import type { Hypotheses } from './hypotheses.ts';
import { createStatementJudge, type OwnRules, type StatementJudge } from './judge-statement.ts';

export type StatementReader = Readonly<{
  pack: Pack;
  adapter: Adapter;
  table: ColloquialTable;
  /** false: statements are sent as they were written. */
  normalise: boolean;
  /** null for a joint pack, which reads statements with the photo. */
  hypotheses: Hypotheses | null;
}>;

/** What statements are decided by now. */
export type Ruling = Readonly<{ judge: StatementJudge; policy: LocalPolicy }>;

export const rulingOf = ({ adapter, pack }: Pick<StatementReader, 'adapter' | 'pack'>, policy: LocalPolicy): Ruling => {
  const { languages, thresholds } = pack.manifest;
  const riskControl = policy.riskControl ?? undefined;
  return { judge: createStatementJudge(adapter, { languages, thresholds, riskControl }), policy };
};

const ownRules = ({ key, yes, no, flag }: StatementToJudge, { calibrations }: LocalPolicy): OwnRules => ({
  thresholds: { yes, no },
  calibration: calibrations?.statements[key] ?? calibrations?.pack,
  flag,
});

/** A held statement under another ruling. */
export const settled = (statement: HeldStatement, { judge, policy }: Ruling): HeldStatement => ({
  ...statement,
  prepared: judge.settle(statement.prepared, ownRules(statement.asked, policy)),
});

/** `ruling` is asked for at the end: it may change while graphs read the statements. */
export const prepareStatements = async (
  { pack, adapter, table, hypotheses, ...reader }: StatementReader,
  ruling: () => Ruling,
  statements: readonly StatementToJudge[],
): Promise<readonly Result<HeldStatement, VouchError<'nothing_left'>>[]> => {
  const limit = { countTokens: adapter.countTokens, maxTokens: pack.manifest.maxTokens };
  const read = statements.map(({ text }) =>
    reader.normalise ? normalise(text, { ...limit, colloquial: table }) : asWritten(text, limit),
  );
  const { partsOf } = ruling().judge;
  const parts = read.flatMap((result) => (result.ok ? partsOf(result.value) : []));
  const made = hypotheses ? await hypotheses.of(parts) : new Map<string, unknown>();
  const { judge, policy } = ruling();
  return read.map((result, i) => {
    if (!result.ok) return result;
    const asked = statements[i]!;
    const prepared = judge.prepare(result.value, made, ownRules(asked, policy));
    return { ok: true, value: { key: asked.key, hypothesisHash: hypothesisHash(result.value), prepared, asked } };
  });
};

export const infoOf = ({ key, hypothesisHash: hash, prepared }: HeldStatement): PreparedInfo => {
  const { normalised, languageSupported, thresholds, parts, notChecked, looksFor } = prepared;
  return { key, normalised, hypothesisHash: hash, languageSupported, thresholds, parts, notChecked, looksFor };
};

/** What is asked of a photo, so that prepared statements can be judged on it. */
import type { Operation } from '../contract/operation.ts';
import type { StatementKey } from '../store/types.ts';
import type { OpenedPack, PreparedInfo } from '../verdicts/rescore-protocol.ts';

/**
 * What the engine does with a photo so that these statements can be judged on it: a joint pack judges each part of each
 * in turn, a separable one makes evidence.
 */
export const operationFor = (
  { kind }: Pick<OpenedPack, 'kind'>,
  statements: readonly Pick<PreparedInfo, 'parts'>[],
): Operation =>
  kind === 'joint'
    ? { kind: 'judge', pairs: statements.flatMap(({ parts }) => parts.map((text) => ({ text }))) }
    : { kind: 'encode', parts: [] };

/** `statements` are judged on what comes of the operation, in this order. */
export type PhotoQuestion = Readonly<{ statements: readonly StatementKey[]; operation: Operation }>;

/**
 * What photos are asked that lack some of the statements: a joint pack only those, since each costs a run; a separable
 * one all, since its evidence does for all at once. Without `lacking`, the photo lacks every statement.
 */
export const questionsFor = (
  pack: Pick<OpenedPack, 'kind'>,
  statements: readonly Pick<PreparedInfo, 'key' | 'parts'>[],
): ((lacking?: readonly StatementKey[]) => PhotoQuestion) => {
  const byKey = new Map(statements.map((statement) => [statement.key, statement]));
  const about = (wanted: readonly StatementKey[]): PhotoQuestion => ({
    statements: wanted,
    operation: operationFor(
      pack,
      wanted.map((key) => byKey.get(key)!),
    ),
  });
  const all = about([...byKey.keys()]);
  return (lacking) => (lacking && pack.kind === 'joint' ? about(lacking) : all);
};

/** One unit of a pack's work, the pair of a joint one, so that photos a second are units a second. The text is no matter. */
export const sampleOperation = ({ kind }: Pick<OpenedPack, 'kind'>): Operation =>
  kind === 'joint' ? { kind: 'judge', pairs: [{ text: 'a dog' }] } : { kind: 'encode', parts: [] };

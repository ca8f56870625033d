/** What the engine is to do with a photo so that prepared statements can be judged. */
import type { Operation } from '../contract/operation.ts';
import type { OpenedPack, PreparedInfo } from '../verdicts/rescore-protocol.ts';

/** A joint pack judges each part of each statement in turn; a separable one makes evidence, whatever the statements are. */
export const operationFor = (
  { kind }: Pick<OpenedPack, 'kind'>,
  statements: readonly Pick<PreparedInfo, 'parts'>[],
): Operation =>
  kind === 'joint'
    ? { kind: 'judge', pairs: statements.flatMap(({ parts }) => parts.map((text) => ({ text }))) }
    : { kind: 'encode', parts: [] };

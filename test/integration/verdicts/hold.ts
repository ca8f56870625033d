/** Statements that a test holds ready for as long as its rescorer is open. */
import type { Rescorer } from '../../../main/verdicts/rescore.ts';
import type { PrepareResult, StatementToJudge } from '../../../main/verdicts/rescore-protocol.ts';

export const hold = (rescorer: Rescorer, statements: readonly StatementToJudge[]): Promise<readonly PrepareResult[]> =>
  new Promise((done, failed) => {
    const use = (held: readonly PrepareResult[]) => {
      done(held);
      return new Promise<never>(() => undefined);
    };
    rescorer.withStatements(statements, use).catch(failed);
  });

export const handlesOf = (results: readonly PrepareResult[]): readonly number[] =>
  results.map((result) => {
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    return result.value.handle;
  });

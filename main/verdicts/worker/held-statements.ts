/** The statements that are held ready for someone, each under a handle, until they are released. */
import type { StatementHandle, StatementToJudge } from '../rescore-protocol.ts';
import type { KnownStatement } from './judge-photo.ts';

export type HeldStatement = KnownStatement & Readonly<{ asked: StatementToJudge }>;

export type HeldStatements = Readonly<{
  hold: (statement: HeldStatement) => StatementHandle;
  /** @throws Error where it was released, or never held. */
  get: (handle: StatementHandle) => HeldStatement;
  /** Puts what `change` makes of each in its place. */
  change: (change: (statement: HeldStatement) => HeldStatement) => void;
  release: (handles: readonly StatementHandle[]) => void;
}>;

export const holdStatements = (): HeldStatements => {
  const held = new Map<StatementHandle, HeldStatement>();
  let last = 0;
  return {
    hold: (statement) => {
      last += 1;
      held.set(last, statement);
      return last;
    },
    get: (handle) => {
      const found = held.get(handle);
      if (!found) throw new Error(`statement ${handle} is not held`);
      return found;
    },
    change: (change) => {
      for (const [handle, statement] of held) held.set(handle, change(statement));
    },
    release: (handles) => {
      for (const handle of handles) held.delete(handle);
    },
  };
};

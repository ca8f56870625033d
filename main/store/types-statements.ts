/** Statements and the sets that they belong to. */
import type { StatementEntry, StatementSet } from '../contract/statement.ts';
import type { StatementKey } from './keys.ts';

export type StatementRecord = StatementEntry &
  Readonly<{
    key: StatementKey;
    id: string;
    set: string;
    position: number;
    createdAt: number;
    archivedAt: number | null;
  }>;
export type SetRecord = Readonly<{
  name: string;
  /** The pack whose verdicts count for this set. */
  packId: string | null;
  statements: readonly StatementRecord[];
}>;

export type StatementOperations = {
  /** Makes the set be exactly this: same text and fields = same statement, the others are new or archived. */
  upsertSet(set: StatementSet, packId: string): SetRecord;
  /** As upsertSet, but archives nothing. Returns only the statements given, in order. */
  addTo(setName: string, entries: readonly StatementEntry[], packId: string): readonly StatementRecord[];
  /** Changes which pack's verdicts count. */
  setPack(setName: string, packId: string): void;
  /** Gives a set another name; its statements stay what they are. Rejects with not_found. */
  rename(from: string, to: string): void;
  archive(statements: readonly StatementKey[]): void;
  /** Sets by name; without archived statements unless asked. */
  list(options?: Readonly<{ archived?: boolean; set?: string }>): readonly SetRecord[];
};

/** All that a hypothesis depends on besides the text. */
export type HypothesisKey = Readonly<{ packSha256: string; adapterVersion: string }>;
/** What a pack's text graphs made of a part of a statement, as bytes. */
export type NewHypothesis = Readonly<{ text: string; blob: Uint8Array }>;

export type HypothesisOperations = {
  /** The oldest are forgotten when there are too many. */
  keep(key: HypothesisKey, made: readonly NewHypothesis[]): void;
};

/** What the photos of a folder are judged on: the statements of its set, or the same ones for all folders. */
import type { FolderRecord, SetRecord, StatementRecord, Store } from '../store/types.ts';

type FolderGroup = Readonly<{ folders: readonly FolderRecord[]; statements: readonly StatementRecord[] }>;

export type StatementSource = Readonly<{
  /** Whether there is any statement to judge on. */
  any: () => Promise<boolean>;
  /** What a registered folder is judged on; none: its photos wait for a statement. */
  of: (path: string) => Promise<readonly StatementRecord[]>;
  /** Folders that are judged on the same statements, together; those without any are left out. */
  groups: (folders: readonly FolderRecord[]) => Promise<readonly FolderGroup[]>;
}>;

/** The statements of the folder's set, else all that there are for the pack. */
const statementsOf = (
  { set }: Pick<FolderRecord, 'set'>,
  sets: readonly SetRecord[],
  packId: string,
): readonly StatementRecord[] =>
  sets
    .filter((other) => other.packId === packId && (set === null || other.name === set))
    .flatMap((one) => one.statements);

/** Each folder by its own set. */
export const bySets = (store: Store, packId: () => string): StatementSource => ({
  any: async () => (await store.statements.list()).some((set) => set.packId === packId() && set.statements.length > 0),
  of: async (path) => {
    const [folders, sets] = await Promise.all([store.folders.list(), store.statements.list()]);
    const folder = folders.find((known) => known.path === path);
    return folder ? statementsOf(folder, sets, packId()) : [];
  },
  groups: async (folders) => {
    const sets = await store.statements.list();
    return [...Map.groupBy(folders, ({ set }) => set)]
      .map(([set, members]) => ({ folders: members, statements: statementsOf({ set }, sets, packId()) }))
      .filter(({ statements }) => statements.length > 0);
  },
});

/** The same statements for all folders, whatever their sets. */
export const theSame = (statements: readonly StatementRecord[]): StatementSource => ({
  any: async () => statements.length > 0,
  of: async () => statements,
  groups: async (folders) => (folders.length > 0 && statements.length > 0 ? [{ folders, statements }] : []),
});

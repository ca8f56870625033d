import { writeFile } from 'node:fs/promises';
import type { Handlers } from '../../contract/api.ts';
import type { StatementEntry } from '../../contract/statement.ts';
import type { LabelCounts, StatementSetView, StatementView } from '../../contract/views.ts';
import { notWritten } from '../../export/write.ts';
import { failWith, VouchFailure } from '../../failure.ts';
import { readSetFile } from '../../statements/set-file.ts';
import { writeStatementSet } from '../../statements/sets.ts';
import type { SetRecord, StatementRecord } from '../../store/types.ts';
import type { StatementToJudge } from '../../verdicts/rescore-protocol.ts';
import type { AppService } from '../app-service.ts';

/** Statements of a set that were archived together, within this time, come back together. */
const togetherMs = 2000;
const none: LabelCounts = { yes: 0, no: 0, maybe: 0 };

const entryOf = ({ text, tag, yes, no, flag, note }: StatementRecord): StatementEntry => ({
  text,
  ...(tag !== undefined && { tag }),
  ...(yes !== undefined && { yes }),
  ...(no !== undefined && { no }),
  ...(flag !== undefined && { flag }),
  ...(note !== undefined && { note }),
});

const isArchived = ({ statements }: SetRecord): boolean =>
  statements.length > 0 && statements.every(({ archivedAt }) => archivedAt !== null);

/** The system's file dialogs. */
export type StatementShell = Readonly<{
  pickSetFiles: () => Promise<readonly string[]>;
  /** Where to write; null when the dialog was closed. */
  pickPlaceFor: (name: string) => Promise<string | null>;
}>;

export const statementHandlers = (service: AppService, shell: StatementShell): Handlers['statements'] => {
  const { store, judging } = service;

  const read = async (statements: readonly StatementToJudge[]) => (await judging.current()).rescorer.read(statements);

  const toView = (
    record: StatementRecord,
    normalised: StatementView['normalised'],
    counts: LabelCounts,
  ): StatementView => ({
    id: record.id,
    setId: record.set,
    text: record.text,
    tag: record.tag ?? null,
    yes: record.yes ?? null,
    no: record.no ?? null,
    flag: record.flag ?? null,
    note: record.note ?? null,
    normalised,
    createdAt: record.createdAt,
    archivedAt: record.archivedAt,
    counts,
  });

  const toViews = async (sets: readonly SetRecord[]): Promise<readonly StatementSetView[]> => {
    const records = sets.flatMap(({ statements }) => statements);
    const [prepared, counted] = await Promise.all([read(records), store.verdicts.countByStatement()]);
    const countsOf = new Map(counted.map(({ statement, labels }) => [statement, labels]));
    const normalisedOf = new Map(
      prepared.flatMap((result) => (result.ok ? [[result.value.key, result.value.normalised] as const] : [])),
    );
    return sets.map((set) => ({
      id: set.name,
      name: set.name,
      archivedAt: isArchived(set) ? Math.max(...set.statements.map(({ archivedAt }) => archivedAt ?? 0)) : null,
      statements: set.statements.map((record) =>
        toView(record, normalisedOf.get(record.key) ?? null, countsOf.get(record.key) ?? none),
      ),
    }));
  };

  const setNamed = async (name: string): Promise<SetRecord> =>
    (await store.statements.list({ archived: true, set: name }))[0] ?? failWith('not_found', { what: 'set', id: name });

  const check = async (statements: readonly StatementEntry[]): Promise<void> => {
    const results = await read(statements.map(({ text }) => ({ key: 0, text })));
    for (const result of results) if (!result.ok) throw new VouchFailure(result.error);
  };

  return {
    sets: async ({ archived }) => {
      const sets = await store.statements.list({ archived });
      return toViews(archived ? sets : sets.filter(({ statements }) => statements.length > 0));
    },
    save: async ({ id, name, statements }) => {
      if (statements.length === 0) failWith('set_empty', { name });
      const old = id === null ? null : await setNamed(id);
      const taken =
        name !== id && (await store.statements.list({ set: name })).some((set) => set.statements.length > 0);
      if (taken) failWith('name_taken', { name });
      await check(statements);
      if (old && old.name !== name) await store.statements.rename(old.name, name);
      const saved = await store.statements.upsertSet({ name, statements }, service.settings.now().engine.model);
      await service.statementsChanged();
      return (await toViews([saved]))[0]!;
    },
    archive: async ({ kind, id, archived }) => {
      const sets = kind === 'set' ? [await setNamed(id)] : await store.statements.list({ archived: true });
      const all = sets.flatMap(({ statements }) => statements);
      const wanted = kind === 'set' ? all : all.filter((record) => record.id === id);
      if (wanted.length === 0) failWith('not_found', { what: 'statement', id });
      if (archived) {
        await store.statements.archive(wanted.filter(({ archivedAt }) => archivedAt === null).map(({ key }) => key));
      } else {
        const last = Math.max(...wanted.map(({ archivedAt }) => archivedAt ?? 0));
        const together = wanted.filter(({ archivedAt }) => archivedAt !== null && archivedAt > last - togetherMs);
        const { set } = wanted[0]!;
        await store.statements.addTo(set, together.map(entryOf), service.settings.now().engine.model);
      }
      await service.statementsChanged();
      return null;
    },
    import: async () => {
      const files = await shell.pickSetFiles();
      const sets = await Promise.all(files.map(readSetFile));
      // All are checked before any is stored.
      for (const { statements } of sets) await check(statements);
      const { model } = service.settings.now().engine;
      const stored: SetRecord[] = [];
      for (const set of sets) stored.push(await store.statements.upsertSet(set, model));
      if (stored.length > 0) await service.statementsChanged();
      return toViews(stored);
    },
    export: async ({ setId }) => {
      const { name, statements } = await setNamed(setId);
      const entries = statements.filter(({ archivedAt }) => archivedAt === null).map(entryOf);
      if (entries.length === 0) failWith('set_empty', { name });
      const path = await shell.pickPlaceFor(name);
      if (path === null) return null;
      await writeFile(path, writeStatementSet({ name, statements: entries })).catch(notWritten(path));
      return { path };
    },
    preview: async ({ text }) => {
      const opened = await judging.current();
      const { maxTokens } = opened.pack.manifest;
      const [result] = await opened.rescorer.read([{ key: 0, text }]);
      if (result?.ok) {
        const { normalised, languageSupported, notChecked, looksFor } = result.value;
        return { normalised, removed: normalised.removed, maxTokens, languageSupported, notChecked, looksFor };
      }
      const removed = result?.error.code === 'nothing_left' ? result.error.params.removed : [];
      return { normalised: null, removed, maxTokens, languageSupported: true, notChecked: [], looksFor: [] };
    },
  };
};

import type { StatementSetView, StatementView } from '../../main/contract/views.ts';
import { attempt } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { client, keys } from '../data/client.ts';
import { type Draft, entriesOf, entriesWith } from '../data/statement-draft.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';

const refresh = () => client.invalidateQueries({ queryKey: keys.sets });

export const saveStatement = async (set: StatementSetView, statementId: string | null, draft: Draft) => {
  const saved = await answerOf(
    vouch.statements.save({ id: set.id, name: set.name, statements: entriesWith(set, statementId, draft) }),
  );
  await refresh();
  return saved.statements.find((statement) => statement.text === draft.text.trim()) ?? null;
};

export const createSet = async (name: string) => {
  const saved = await answerOf(vouch.statements.save({ id: null, name, statements: [] }));
  await refresh();
  return saved;
};

export const renameSet = async (set: StatementSetView, name: string) => {
  const saved = await answerOf(vouch.statements.save({ id: set.id, name, statements: entriesOf(set) }));
  await refresh();
  return saved;
};

type Kind = 'set' | 'statement';

const setArchived = (kind: Kind, id: string, archived: boolean) =>
  attempt(async () => {
    await answerOf(vouch.statements.archive({ kind, id, archived }));
    await refresh();
  });

const archive = async (kind: Kind, id: string, name: string) => {
  if (await setArchived(kind, id, true))
    toast({
      title: i18n.t(`statements.archived.${kind}`, { name }),
      detail: i18n.t('statements.verdictsStay'),
      action: { text: i18n.t('action.undo'), run: () => void setArchived(kind, id, false) },
    });
};

export const archiveSet = (set: StatementSetView) => archive('set', set.id, set.name);
export const archiveStatement = (statement: StatementView) => archive('statement', statement.id, statement.text);
export const bringBack = (kind: Kind, id: string) => setArchived(kind, id, false);

export const importSets = () =>
  attempt(async () => {
    const sets = await answerOf(vouch.statements.import());
    if (sets.length === 0) return;
    await refresh();
    toast({ title: i18n.t('statements.imported', { count: sets.length }) });
  });

export const exportSet = (set: StatementSetView) =>
  attempt(async () => {
    const written = await answerOf(vouch.statements.export({ setId: set.id }));
    if (written) toast({ title: i18n.t('statements.exported', { name: set.name }), detail: written.path });
  });

/** A search made into a statement. */
import { adhocSet } from '../../main/contract/statement.ts';
import type { StatementPreview, StatementSetView } from '../../main/contract/views.ts';
import { attempt } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { client, keys } from '../data/client.ts';
import { emptyDraft, entriesWith, isDouble } from '../data/statement-draft.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';
import { useUi } from '../ui-state.ts';

export const setsToAddTo = (sets: readonly StatementSetView[]): readonly string[] => [
  ...new Set([...sets.map(({ name }) => name), adhocSet]),
];

/** Adds the text to a set, which has all photos judged on it. */
export const addSearched = (sets: readonly StatementSetView[], name: string, text: string) =>
  attempt(async () => {
    const set = sets.find((one) => one.name === name);
    const isNew = !set || !isDouble(set, null, text);
    const draft = { ...emptyDraft, text };
    const statements = set ? entriesWith(set, null, draft) : [{ text }];
    const saved = isNew ? await answerOf(vouch.statements.save({ id: set?.id ?? null, name, statements })) : set;
    await client.invalidateQueries({ queryKey: keys.sets });
    const added = saved.statements.find((statement) => statement.text === text && statement.archivedAt === null);
    toast({
      title: i18n.t(isNew ? 'find.added' : 'find.isThere', { name }),
      ...(isNew && { detail: i18n.t('find.addedHint') }),
      ...(added && {
        action: {
          text: i18n.t('find.showVerdicts'),
          run: () => useUi.getState().showResults({ filter: { statementIds: [added.id] } }),
        },
      }),
    });
  });

/** Why photos cannot be searched for a text at all; null where they can. */
export const unsearchable = ({
  normalised,
  languageSupported,
  looksFor,
}: StatementPreview): 'language' | 'nothing' | null => {
  if (!normalised) return 'nothing';
  if (!languageSupported) return 'language';
  return looksFor?.length === 0 ? 'nothing' : null;
};

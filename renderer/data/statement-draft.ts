/** A statement while it is edited, and what saving it makes of its set. */
import type { StatementEntry } from '../../main/contract/statement.ts';
import type { StatementSetView, StatementView } from '../../main/contract/views.ts';

export type Draft = Readonly<{
  text: string;
  tag: string;
  yes: number | null;
  no: number | null;
  flag: 'yes' | 'no' | 'none';
  note: string;
}>;

export const emptyDraft: Draft = { text: '', tag: '', yes: null, no: null, flag: 'none', note: '' };

export const draftOf = (statement: StatementView): Draft => ({
  text: statement.text,
  tag: statement.tag ?? '',
  yes: statement.yes,
  no: statement.no,
  flag: statement.flag ?? 'none',
  note: statement.note ?? '',
});

export const sameDraft = (a: Draft, b: Draft): boolean =>
  (Object.keys(a) as (keyof Draft)[]).every((key) => a[key] === b[key]);

const entryOf = (draft: Draft): StatementEntry => ({
  text: draft.text.trim(),
  ...(draft.tag.trim() && { tag: draft.tag.trim() }),
  ...(draft.yes !== null && { yes: draft.yes }),
  ...(draft.no !== null && { no: draft.no }),
  ...(draft.flag !== 'none' && { flag: draft.flag }),
  ...(draft.note.trim() && { note: draft.note.trim() }),
});

const active = (set: StatementSetView): readonly StatementView[] =>
  set.statements.filter((statement) => statement.archivedAt === null);

/** The set's entries, unchanged: what a rename saves. */
export const entriesOf = (set: StatementSetView): StatementEntry[] =>
  active(set).map((statement) => entryOf(draftOf(statement)));

/** The set's entries with the draft in the statement's place, or at the end when it is new. */
export const entriesWith = (set: StatementSetView, statementId: string | null, draft: Draft): StatementEntry[] => {
  const entries = active(set).map((statement) => entryOf(statement.id === statementId ? draft : draftOf(statement)));
  return statementId === null ? [...entries, entryOf(draft)] : entries;
};

/** Another statement of the set says the same. */
export const isDouble = (set: StatementSetView, statementId: string | null, text: string): boolean =>
  active(set).some((statement) => statement.id !== statementId && statement.text === text.trim());

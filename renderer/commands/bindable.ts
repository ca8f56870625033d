/** Commands that stand in one table with the keys that they have of their own: most of them a person can give other keys. */
import type { KeySettings } from '../../main/contract/settings.ts';
import { useSettings } from '../data/queries.ts';
import type { TextKey } from '../i18n/index.ts';
import type { Command } from './registry.ts';

type Row<Id extends string = string> = Readonly<{
  id: Id;
  text: TextKey;
  group: 'review' | 'photo';
  keys: readonly string[];
}>;

const rowsOf =
  (group: Row['group']) =>
  <Id extends string>(id: Id, text: TextKey, ...keys: readonly string[]): Row<Id> => ({ id, text, group, keys });
const review = rowsOf('review');
const photo = rowsOf('photo');

/** The settings offer them in this order. */
const bindableRows = [
  review('review yes', 'command.review.yes', 'y'),
  review('review no', 'command.review.no', 'n'),
  review('review maybe', 'command.review.maybe', 'm'),
  review('review confirm', 'command.review.confirm', 'Enter'),
  review('review skip', 'command.review.skip', 's'),
  review('review flag', 'command.review.flag', 'f'),
  review('review undo', 'command.review.undo', 'u', '$mod+z'),
  review('review next', 'command.review.next', 'ArrowRight'),
  review('review previous', 'command.review.previous', 'ArrowLeft'),
  review('review first', 'command.review.first', 'Home'),
  review('review last', 'command.review.last', 'End'),
  review('review hide', 'command.review.hide', 'h'),
  review('review note', 'command.review.note', 'c'),
  review('review mode', 'command.review.mode', 'g'),
  review('review select', 'command.review.select', 'Space'),
  review('review select all', 'command.review.selectAll', '$mod+a'),
  review('review open', 'command.review.open', 'o'),
  review('review next statement', 'command.review.nextStatement', 'j'),
  review('review previous statement', 'command.review.previousStatement', 'k'),
  review('review next queue', 'command.review.nextQueue', ']'),
  review('review previous queue', 'command.review.previousQueue', '['),
  photo('zoom toggle', 'command.zoomToggle', 'z'),
  photo('zoom in', 'command.zoomIn', '[Shift]+Equal', 'NumpadAdd'),
  photo('zoom out', 'command.zoomOut', 'Minus', 'NumpadSubtract'),
] as const;

/** Nobody can change these; giving one of their keys to another command is told as a conflict all the same. */
const fixedRows = [
  photo('pan left', 'command.panLeft', 'Shift+ArrowLeft'),
  photo('pan right', 'command.panRight', 'Shift+ArrowRight'),
  photo('pan up', 'command.panUp', 'Shift+ArrowUp'),
  photo('pan down', 'command.panDown', 'Shift+ArrowDown'),
] as const;
/** The arrows of a grid are the grid's own and no command. */
const arrowsInGrid = review('move in grid', 'command.review.moveInGrid', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown');

export const bindable: readonly Row[] = bindableRows;
export const fixed: readonly Row[] = [...fixedRows, arrowsInGrid];

export type BindableId = (typeof bindableRows)[number]['id'];
type CommandId = BindableId | (typeof fixedRows)[number]['id'];

const byId = new Map<string, Row>([...bindableRows, ...fixedRows].map((row) => [row.id, row]));

/** A command of the table, ready to be offered; `enabled` as in `Command`. */
export const commandOf = (id: CommandId, run: () => void, enabled = true): Command => ({
  ...byId.get(id)!,
  run,
  enabled,
});

export const keysOf = (id: string, set: KeySettings): readonly string[] => set[id] ?? byId.get(id)?.keys ?? [];

/** The first key of a command as it stands now, to show beside its button. */
export const useKeyOf = (id: BindableId): string | undefined => keysOf(id, useSettings().keys)[0];

/** The commands of the review that a person can give other keys, with the keys that they have of their own. */
import type { KeySettings } from '../../main/contract/settings.ts';
import type { Command } from '../commands/registry.ts';
import { useSettings } from '../data/queries.ts';
import type { TextKey } from '../i18n/index.ts';

type Bindable<Id extends string = string> = Readonly<{
  id: Id;
  text: TextKey;
  group: 'review';
  keys: readonly string[];
}>;

const review = <Id extends string>(id: Id, text: TextKey, ...keys: readonly string[]): Bindable<Id> => ({
  id,
  text,
  group: 'review',
  keys,
});

const reviewCommands = [
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
] as const;

/** All that the settings offer to change: the review's own, and the zoom of the photo in it. */
export const bindable: readonly Bindable[] = [
  ...reviewCommands,
  review('zoom toggle', 'command.zoomToggle', 'z'),
  review('zoom in', 'command.zoomIn', '[Shift]+Equal', 'NumpadAdd'),
  review('zoom out', 'command.zoomOut', 'Minus', 'NumpadSubtract'),
];

/** Keys of the review that cannot be changed; giving one of them to a command is told as a conflict all the same. */
export const fixed: readonly Bindable[] = [
  review('pan left', 'command.panLeft', 'Shift+ArrowLeft'),
  review('pan right', 'command.panRight', 'Shift+ArrowRight'),
  review('pan up', 'command.panUp', 'Shift+ArrowUp'),
  review('pan down', 'command.panDown', 'Shift+ArrowDown'),
  review('move in grid', 'command.review.moveInGrid', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'),
];

export type ReviewCommandId = (typeof reviewCommands)[number]['id'];

const byId = new Map<string, Bindable>(reviewCommands.map((command) => [command.id, command]));

/** A command of the review, ready to be offered; `enabled` as in `Command`. */
export const reviewCommand = (id: ReviewCommandId, run: () => void, enabled = true): Command => ({
  ...byId.get(id)!,
  run,
  enabled,
});

export const keysOf = (id: string, set: KeySettings): readonly string[] => set[id] ?? byId.get(id)?.keys ?? [];

/** The first key of a command as it stands now, to show beside its button. */
export const useKeyOf = (id: ReviewCommandId): string | undefined => keysOf(id, useSettings().keys)[0];

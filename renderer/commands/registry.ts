/** Every action by name: one list feeds the key bindings, the key sheet and the palette. */
import { useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { type MenuCommand, menuCommands } from '../../main/contract/menu.ts';
import type { ScreenName } from '../../main/contract/screen-names.ts';
import { useSettings } from '../data/queries.ts';
import type { TextKey } from '../i18n/index.ts';

/** What a command belongs to: a screen, the photo that fills one, or the window. */
export type Group = ScreenName | 'photo' | 'view' | 'go';

export type Command = Readonly<{
  id: string;
  text: TextKey | Readonly<{ plain: string }>;
  group: Group;
  /** tinykeys' notation; several bindings may do the same. */
  keys?: readonly string[];
  /** false: it would do nothing now, so the palette leaves it out. */
  enabled?: boolean;
  run: () => void;
}>;

/** A command that the application's menu asks for too; `more` keys lead to it besides the menu's. */
export const menuCommand = (
  id: MenuCommand,
  command: Omit<Command, 'id' | 'keys'>,
  ...more: readonly string[]
): Command => ({ ...command, id, keys: [menuCommands[id], ...more] });

export const useCommandList = create<{ readonly lists: ReadonlyMap<string, readonly Command[]> }>(() => ({
  lists: new Map(),
}));

const allOf = (lists: ReadonlyMap<string, readonly Command[]>): readonly Command[] => [...lists.values()].flat();
export const allCommands = (): readonly Command[] => allOf(useCommandList.getState().lists);

export const runCommand = (id: string): void =>
  allCommands()
    .find((command) => command.id === id)
    ?.run();

/** Offers commands while the calling component is on the screen, with the keys that the settings give them. */
export const useCommands = (owner: string, own: readonly Command[]): void => {
  const bound = useSettings().keys;
  const commands = own.map((command) => ({ ...command, keys: bound[command.id] ?? command.keys }));
  const latest = useRef<readonly Command[]>(commands);
  latest.current = commands;
  const shape = commands
    .map((command) => `${command.id} ${command.keys?.join()} ${command.enabled} ${JSON.stringify(command.text)}`)
    .join();
  // It is offered before anything of it is painted: whoever sees it may press its keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the list; what a command does is read late
  useLayoutEffect(() => {
    const list = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find((now) => now.id === command.id)?.run(),
    }));
    useCommandList.setState(({ lists }) => ({ lists: new Map(lists).set(owner, list) }));
    return () =>
      useCommandList.setState(({ lists }) => ({ lists: new Map([...lists].filter(([name]) => name !== owner)) }));
  }, [owner, shape]);
};

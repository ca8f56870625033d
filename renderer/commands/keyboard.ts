import { useLayoutEffect } from 'react';
import { defaultKeybindingsHandlerIgnore, tinykeys } from 'tinykeys';
import { allCommands, type Command, useCommandList } from './registry.ts';

const presses = new Set(['Enter', ' ']);
const alongAList = new Set(['ArrowLeft', 'ArrowRight', 'Escape']);

/** Whether a key has a meaning of its own there: overlays take all keys, lists all but sideways, pressables Enter and Space. */
const isTaken = ({ target, key }: KeyboardEvent): boolean => {
  if (!(target instanceof Element)) return false;
  const inside = (selector: string) => target.closest(selector) !== null;
  if (inside('[role="dialog"], .popover, [role="slider"]')) return true;
  if (inside('[role="listbox"]:not([data-grid])')) return !alongAList.has(key);
  if (inside('[role="radiogroup"]') && key.startsWith('Arrow')) return true;
  return presses.has(key) && inside('button, a, input');
};

const withModifier = (keys: string): boolean => keys.includes('$mod') || keys.includes('Alt');

const bindings = (commands: readonly Command[], modified: boolean) =>
  Object.fromEntries(
    commands.flatMap((command) =>
      (command.keys ?? [])
        .filter((keys) => withModifier(keys) === modified)
        .map((keys) => [
          keys,
          (event: KeyboardEvent) => {
            if (event.defaultPrevented) return;
            event.preventDefault();
            command.run();
          },
        ]),
    ),
  );

/** Single keys are inert while typing and inside dialogs and menus; those with Ctrl or Alt work everywhere but there. */
const bind = (): (() => void) => {
  const commands = allCommands();
  const single = tinykeys(window, bindings(commands, false), {
    ignore: (event) => defaultKeybindingsHandlerIgnore(event) || isTaken(event),
  });
  const modified = tinykeys(window, bindings(commands, true), {
    ignore: ({ target }) => target instanceof Element && target.closest('[role="dialog"]') !== null,
  });
  return () => {
    single();
    modified();
  };
};

/** Follows the commands on offer at once: what is on the screen answers to its keys, however busy the machine. */
export const useKeyboard = (): void =>
  useLayoutEffect(() => {
    let unbind = bind();
    const end = useCommandList.subscribe(() => {
      unbind();
      unbind = bind();
    });
    return () => {
      end();
      unbind();
    };
  }, []);

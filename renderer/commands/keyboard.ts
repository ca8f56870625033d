import { useEffect } from 'react';
import { defaultKeybindingsHandlerIgnore, tinykeys } from 'tinykeys';
import { type Command, useCommandList } from './registry.ts';

/** Inside these the arrow and letter keys have a meaning of their own. */
const ownKeys =
  '[role="dialog"], [role="listbox"]:not([data-grid]), [role="menu"], [role="slider"], [role="radiogroup"]';

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
export const useKeyboard = (): void => {
  const lists = useCommandList((state) => state.lists);
  useEffect(() => {
    const commands = [...lists.values()].flat();
    const inOverlay = (event: KeyboardEvent) =>
      event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
    const single = tinykeys(window, bindings(commands, false), {
      ignore: (event) =>
        defaultKeybindingsHandlerIgnore(event) ||
        (event.target instanceof Element && event.target.closest(ownKeys) !== null),
    });
    const modified = tinykeys(window, bindings(commands, true), { ignore: inOverlay });
    return () => {
      single();
      modified();
    };
  }, [lists]);
};

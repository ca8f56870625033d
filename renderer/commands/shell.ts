/** What the application's menu asks for, done in the window. */
import { useEffect } from 'react';
import { vouch } from '../data/call.ts';
import { useUi } from '../ui-state.ts';
import { runCommand } from './registry.ts';

export const useShellCommands = (): void =>
  useEffect(
    () =>
      vouch.on('command', (command) => {
        if (command.kind === 'show') useUi.getState().show(command.screen);
        else runCommand(command.kind);
      }),
    [],
  );

import { describe, expect, it } from 'vitest';
import { acceleratorOf, menuCommands } from '../../../main/contract/menu.ts';
import { screens } from '../../../main/contract/screen-names.ts';
import { conflictsOf } from '../../../renderer/commands/bindings.ts';

describe('keys of the menu', () => {
  it.each([
    ['$mod+1', 'CmdOrCtrl+1'],
    ['$mod+,', 'CmdOrCtrl+,'],
    ['$mod+o', 'CmdOrCtrl+O'],
    ['[Shift]+?', '?'],
    ['i', 'I'],
  ])('%s is %s to Electron', (keys, accelerator) => expect(acceleratorOf(keys)).toBe(accelerator));

  it('are each given once', () => {
    const bound = [
      ...screens.map(({ name, keys }) => ({ id: `go ${name}`, keys })),
      ...Object.entries(menuCommands).map(([id, keys]) => ({ id, keys: [keys] })),
    ];
    expect([...conflictsOf(bound)]).toEqual([]);
  });
});

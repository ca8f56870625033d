import { describe, expect, it } from 'vitest';
import { conflictsOf, pressedKeys } from '../../../renderer/commands/bindings.ts';
import { keyNames } from '../../../renderer/ui/keys.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  pressedKeys({ key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

describe('a pressed key', () => {
  it('is written as the key bindings are', () => {
    expect(press('y')).toBe('y');
    expect(press('Y', { shiftKey: true })).toBe('Shift+y');
    expect(press('z', { ctrlKey: true })).toBe('$mod+z');
    expect(press('z', { metaKey: true, shiftKey: true })).toBe('$mod+Shift+z');
    expect(press(' ')).toBe('Space');
    expect(press('?', { shiftKey: true })).toBe('[Shift]+?');
    expect(press('ArrowLeft', { altKey: true })).toBe('Alt+ArrowLeft');
  });

  it('is nothing while only a modifier is down', () => {
    for (const key of ['Shift', 'Control', 'Alt', 'Meta', 'Dead']) expect(press(key)).toBeNull();
  });
});

describe('conflicts', () => {
  it('name every command that answers to the same press', () => {
    const found = conflictsOf([
      { id: 'yes', keys: ['y', 'Enter'] },
      { id: 'confirm', keys: ['Enter'] },
      { id: 'open', keys: ['Enter'] },
      { id: 'undo', keys: ['u', '$mod+z'] },
      { id: 'zoom', keys: ['z'] },
    ]);
    expect(found.get('yes')).toEqual(['confirm', 'open']);
    expect(found.get('confirm')).toEqual(['yes', 'open']);
    expect([...found.keys()]).toEqual(['yes', 'confirm', 'open']);
  });

  it('see through case and modifiers that may be absent', () => {
    expect(
      conflictsOf([
        { id: 'a', keys: ['[Shift]+?'] },
        { id: 'b', keys: ['?'] },
      ]).size,
    ).toBe(2);
    expect(
      conflictsOf([
        { id: 'a', keys: ['Shift+y'] },
        { id: 'b', keys: ['y'] },
      ]).size,
    ).toBe(0);
    expect(
      conflictsOf([
        { id: 'a', keys: ['Y'] },
        { id: 'b', keys: ['y'] },
      ]).size,
    ).toBe(2);
  });

  it('see keys that are bound by their place in the signs on them', () => {
    const bound = (id: string, ...keys: readonly string[]) => ({ id, keys });
    expect(conflictsOf([bound('in', '[Shift]+Equal', 'NumpadAdd'), bound('yes', '[Shift]++')]).size).toBe(2);
    expect(conflictsOf([bound('in', '[Shift]+Equal', 'NumpadAdd'), bound('yes', '+')]).size).toBe(2);
    expect(conflictsOf([bound('out', 'Minus'), bound('yes', '-')]).size).toBe(2);
    expect(conflictsOf([bound('in', 'NumpadAdd'), bound('out', 'Minus')]).size).toBe(0);
    expect(keyNames('[Shift]++', false)).toEqual(['+']);
    expect(keyNames('$mod++', false)).toEqual(['Ctrl', '+']);
  });

  it('are none where a command has lost its keys', () => {
    expect(
      conflictsOf([
        { id: 'a', keys: [] },
        { id: 'b', keys: [] },
      ]).size,
    ).toBe(0);
  });
});

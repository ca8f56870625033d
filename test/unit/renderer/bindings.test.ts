import { describe, expect, it } from 'vitest';
import { conflictsOf, pressedKeys } from '../../../renderer/commands/bindings.ts';

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

  it('are none where a command has lost its keys', () => {
    expect(
      conflictsOf([
        { id: 'a', keys: [] },
        { id: 'b', keys: [] },
      ]).size,
    ).toBe(0);
  });
});

/** Keys as they are pressed, written down and compared. */
import { partsOf } from '../ui/keys.ts';

const modifierKeys = new Set(['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'CapsLock', 'Dead', 'Process']);

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** A key press in tinykeys' notation; null for a modifier alone. Signs that need Shift are named by themselves. */
export const pressedKeys = ({ key, code, ctrlKey, metaKey, shiftKey, altKey }: Press): string | null => {
  if (modifierKeys.has(key)) return null;
  const isLetter = /^\p{L}$/u.test(key);
  const isSign = key.length === 1 && !isLetter && key !== ' ' && !/\d/.test(key);
  const shift = shiftKey ? [isSign ? '[Shift]' : 'Shift'] : [];
  const name = key === ' ' ? 'Space' : isLetter ? key.toLowerCase() : key;
  return [...(ctrlKey || metaKey ? ['$mod'] : []), ...(altKey ? ['Alt'] : []), ...shift, name || code].join('+');
};

/** Keys that are bound by their place, by the signs on them. */
const signs: Readonly<Record<string, string>> = {
  equal: '+',
  '=': '+',
  numpadadd: '+',
  minus: '-',
  numpadsubtract: '-',
};

/** Two bindings that are alike here answer to the same press. */
const essence = (keys: string): string =>
  partsOf(keys)
    .filter((part) => !part.startsWith('[') || part === '[')
    .map((part) => signs[part.toLowerCase()] ?? part.toLowerCase())
    .sort()
    .join('+');

export type Bound = Readonly<{ id: string; keys: readonly string[] }>;

/** The other ids that each id shares a key with; an id that shares none is left out. */
export const conflictsOf = (bound: readonly Bound[]): ReadonlyMap<string, readonly string[]> => {
  const owners = new Map<string, Set<string>>();
  for (const { id, keys } of bound)
    for (const key of keys) owners.set(essence(key), (owners.get(essence(key)) ?? new Set()).add(id));
  return new Map(
    bound.flatMap(({ id, keys }) => {
      const others = new Set(
        keys.flatMap((key) => [...(owners.get(essence(key)) ?? [])]).filter((other) => other !== id),
      );
      return others.size > 0 ? [[id, [...others]] as const] : [];
    }),
  );
};

/** The parts of one binding: modifiers, then the key, which may be a plus sign itself. */
export const partsOf = (keys: string): readonly string[] => keys.split(/(?<=\w|\])\+/);

const everywhere: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  Equal: '+',
  Minus: '-',
};
const onMac: Readonly<Record<string, string>> = { $mod: '⌘', Shift: '⇧', Alt: '⌥' };
const elsewhere: Readonly<Record<string, string>> = { $mod: 'Ctrl' };

/** The keys of one binding as they stand on the keyboard; modifiers that may be absent go unsaid. */
export const keyNames = (keys: string, mac: boolean): readonly string[] =>
  partsOf(keys)
    .filter((part) => part === '[' || !part.startsWith('['))
    .map(
      (part) => everywhere[part] ?? (mac ? onMac : elsewhere)[part] ?? (part.length === 1 ? part.toUpperCase() : part),
    );

const mac = navigator.platform.startsWith('Mac');
const names: Readonly<Record<string, string>> = {
  $mod: mac ? '⌘' : 'Ctrl',
  Shift: mac ? '⇧' : 'Shift',
  Alt: mac ? '⌥' : 'Alt',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Space: 'Space',
  Equal: '+',
  Minus: '-',
};

/** The keys of one binding as they stand on the keyboard; modifiers that may be absent go unsaid. */
export const keyNames = (keys: string): readonly string[] => {
  const parts = keys.split('+').filter((part) => !part.startsWith('['));
  return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
};

export const KeyHint = ({ keys }: Readonly<{ keys: string }>) => (
  <span className="keys" aria-hidden>
    {keyNames(keys).map((name) => (
      <kbd key={name}>{name}</kbd>
    ))}
  </span>
);

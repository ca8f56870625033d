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
};

/** The keys of one binding as they stand on the keyboard. '?' and '+' need Shift on most keyboards: it goes unsaid. */
export const keyNames = (keys: string): readonly string[] => {
  const parts = keys.split(/(?<=.)\+/);
  const last = parts.at(-1)!;
  const bare = /^[^a-z0-9]$/i.test(last) ? parts.filter((part) => part !== 'Shift' && part !== '[Shift]') : parts;
  return bare.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
};

export const KeyHint = ({ keys }: Readonly<{ keys: string }>) => (
  <span className="keys" aria-hidden>
    {keyNames(keys).map((name) => (
      <kbd key={name}>{name}</kbd>
    ))}
  </span>
);

import { keyNames } from './keys.ts';

const mac = navigator.platform.startsWith('Mac');

export const KeyHint = ({ keys }: Readonly<{ keys: string }>) => (
  <span className="keys" aria-hidden>
    {keyNames(keys, mac).map((name) => (
      <kbd key={name}>{name}</kbd>
    ))}
  </span>
);

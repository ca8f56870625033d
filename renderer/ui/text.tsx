import { Fragment, useEffect, useState } from 'react';
import { useWords } from '../i18n/index.ts';
import { shortenPath } from './path.ts';

/** "2 min ago", with the exact time on hover. */
export const When = ({ at }: Readonly<{ at: number }>) => {
  const { format } = useWords();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.exact(at)}>
      {format.relative(at, Math.max(now, at))}
    </time>
  );
};

/** A path shortened in its middle, whole on hover. */
export const Path = ({ path, length = 48 }: Readonly<{ path: string; length?: number }>) => (
  <span className="selectable" title={path}>
    {shortenPath(path, length)
      .split(/(?<=[\\/])/)
      .map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path have no other name than their place
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </span>
);

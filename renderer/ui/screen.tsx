import type { ReactNode } from 'react';

type Props = Readonly<{
  title: string;
  /** What stands before the title. */
  lead?: ReactNode;
  bar?: ReactNode;
  inspector?: ReactNode;
  children: ReactNode;
}>;

/** One screen: its bar, its content and, where it has one, its inspector. */
export const Screen = ({ title, lead, bar, inspector, children }: Props) => (
  <main className={inspector ? 'screen with-inspector' : 'screen'}>
    <header className="bar">
      {lead}
      <h1 className="clip" title={title}>
        {title}
      </h1>
      {bar}
    </header>
    {children}
    {inspector}
  </main>
);

export const Gap = () => <span className="gap" />;

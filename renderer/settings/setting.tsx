import type { ReactNode } from 'react';

/** One setting: its name, a line that explains, its control. */
export const Setting = ({ name, note, children }: Readonly<{ name: string; note?: string; children: ReactNode }>) => (
  <div className="setting">
    <div className="name">
      {name}
      {note && <p>{note}</p>}
    </div>
    {children}
  </div>
);

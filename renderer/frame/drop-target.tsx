import { type DragEvent, type ReactNode, useState } from 'react';
import { dropFiles } from '../data/actions.ts';
import { useWords } from '../i18n/index.ts';
import { useUi } from '../ui-state.ts';

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** The whole window takes folders and photos; a photo stands for its folder, but on a screen that judges it alone. */
export const DropTarget = ({ children }: Readonly<{ children: ReactNode }>) => {
  const { t } = useWords();
  const [over, setOver] = useState(false);
  const takesDrop = useUi((state) => state.takesDrop);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button and Ctrl+O are the first
    <div
      style={{ height: '100%' }}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const { files } = event.dataTransfer;
        if (!takesDrop) void dropFiles(files);
        else if (files[0]) takesDrop(files[0]);
      }}
    >
      {children}
      {over && (
        <div className="drop-veil">
          <div>{t(takesDrop ? 'try.drop' : 'library.drop')}</div>
        </div>
      )}
    </div>
  );
};

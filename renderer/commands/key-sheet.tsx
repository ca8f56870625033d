import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/kbd.tsx';
import { useUi } from '../ui-state.ts';
import { commandText } from './palette.tsx';
import { type Command, useCommandList } from './registry.ts';

const groups: readonly Command['group'][] = ['review', 'photo', 'results', 'statements', 'library', 'view', 'go'];

/** The keys of the screen at hand. */
export const KeySheet = () => {
  const { t } = useWords();
  const lists = useCommandList((state) => state.lists);
  const setOverlay = useUi((state) => state.setOverlay);
  const bound = [...lists.values()].flat().filter((command) => command.keys?.length);
  return (
    <Dialog title={t('keys.title')} wide onClose={() => setOverlay('none')}>
      <div className="keysheet">
        {groups.map((group) => {
          const commands = bound.filter((command) => command.group === group);
          return (
            commands.length > 0 && (
              <section key={group}>
                <h3>{t(`keys.group.${group}`)}</h3>
                {commands.map((command) => (
                  <div key={command.id}>
                    <span>{commandText(t, command)}</span>
                    <KeyHint keys={command.keys![0]!} />
                  </div>
                ))}
              </section>
            )
          );
        })}
      </div>
    </Dialog>
  );
};

import { type ScreenName, screens } from '../../main/contract/screen-names.ts';
import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/kbd.tsx';
import { useUi } from '../ui-state.ts';
import { commandText } from './palette.tsx';
import { type Group, useCommandList } from './registry.ts';

/** Deciding comes first, then what is looked at, then the other screens in their order, then the window. */
const first: readonly Group[] = ['review', 'photo', 'results', 'statements'];
const groups = [...new Set<Group>([...first, ...screens.map(({ name }) => name), 'view', 'go'])];
const isScreen = (group: Group): group is ScreenName => screens.some(({ name }) => name === group);

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
                <h3>{t(isScreen(group) ? `screen.${group}` : `keys.group.${group}`)}</h3>
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

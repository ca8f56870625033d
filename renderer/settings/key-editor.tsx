import { useEffect, useState } from 'react';
import type { KeySettings } from '../../main/contract/settings.ts';
import { bindable, fixed, keysOf } from '../commands/bindable.ts';
import { conflictsOf, pressedKeys } from '../commands/bindings.ts';
import { commandText } from '../commands/palette.tsx';
import { useCommandList } from '../commands/registry.ts';
import { changeSettings } from '../data/actions.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { KeyHint } from '../ui/kbd.tsx';

const without = (keys: KeySettings, id: string): KeySettings =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => name !== id));
const set = (keys: KeySettings) => void changeSettings({ keys });

/** The next press becomes the command's key; Escape and Tab leave it as it was, Delete takes it away. */
const Capture = ({ id, onEnd }: Readonly<{ id: string; onEnd: () => void }>) => {
  const { t } = useWords();
  const keys = useSettings().keys;
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      // Tab leads on: no command may take from the keyboard its way around.
      if (event.key === 'Tab') return onEnd();
      event.preventDefault();
      event.stopImmediatePropagation();
      const pressed = pressedKeys(event);
      if (pressed === null) return;
      if (pressed === 'Delete' || pressed === 'Backspace') set({ ...keys, [id]: [] });
      else if (pressed !== 'Escape') set({ ...keys, [id]: [pressed] });
      onEnd();
    };
    window.addEventListener('keydown', take, { capture: true });
    return () => window.removeEventListener('keydown', take, { capture: true });
  }, [id, keys, onEnd]);
  return (
    <span className="capture" role="status">
      {t('settings.keys.press')}
    </span>
  );
};

/** The keys of the review, each to be changed in place; a key in use twice says by what. */
export const KeyEditor = () => {
  const { t } = useWords();
  const keys = useSettings().keys;
  const lists = useCommandList((state) => state.lists);
  const [capturing, setCapturing] = useState<string | null>(null);
  const elsewhere = [...[...lists.values()].flat(), ...fixed];
  const names = new Map([...elsewhere, ...bindable].map((command) => [command.id, commandText(t, command)]));
  const conflicts = conflictsOf([
    ...bindable.map(({ id }) => ({ id, keys: keysOf(id, keys) })),
    ...elsewhere.map((command) => ({ id: command.id, keys: command.keys ?? [] })),
  ]);
  return (
    <section>
      <h2>{t('settings.keys.title')}</h2>
      <p className="muted">{t('settings.keys.note')}</p>
      <div className="key-table">
        {bindable.map(({ id, text }) => {
          const bound = keysOf(id, keys);
          const others = conflicts.get(id);
          return (
            <div key={id} className="key-row" data-testid="key-row">
              <span className="name">
                {t(text)}
                {others && (
                  <span className="warn" role="alert">
                    {t('settings.keys.conflict', {
                      names: others.map((other) => names.get(other) ?? other).join(', '),
                    })}
                  </span>
                )}
              </span>
              {capturing === id ? (
                <Capture id={id} onEnd={() => setCapturing(null)} />
              ) : (
                <span className="bound">
                  {bound.length === 0 && <span className="muted">{t('settings.keys.none')}</span>}
                  {bound.map((key) => (
                    <KeyHint key={key} keys={key} />
                  ))}
                </span>
              )}
              <span className="row-actions">
                <Button
                  kind="quiet"
                  aria-label={t('settings.keys.changeOf', { name: t(text) })}
                  onPress={() => setCapturing(id)}
                >
                  {t('settings.keys.change')}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={t('settings.keys.resetOf', { name: t(text) })}
                  isDisabled={!(id in keys)}
                  onPress={() => set(without(keys, id))}
                >
                  {t('settings.keys.reset')}
                </Button>
              </span>
            </div>
          );
        })}
      </div>
      <div>
        <Button isDisabled={Object.keys(keys).length === 0} onPress={() => set({})}>
          {t('settings.keys.resetAll')}
        </Button>
      </div>
    </section>
  );
};

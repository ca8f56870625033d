import { type KeyboardEvent, useEffect, useRef } from 'react';
import { menuCommands } from '../../main/contract/menu.ts';
import { useWords } from '../i18n/index.ts';
import { SearchField } from '../ui/fields.tsx';
import { find, useResultsView } from './state.ts';
import { useTyped } from './typed.ts';

/** A search of all evidence starts once typing rests for so long. */
const pauseMs = 300;

const grid = () => document.querySelector<HTMLElement>('[data-grid]');

const findFromTop = (text: string) => {
  find(text);
  grid()?.scrollTo({ top: 0 });
};

/** Finds photos by what they show. Enter and the arrow down lead to what was found; Escape, to all photos. */
export const TextSearch = () => {
  const { t } = useWords();
  const text = useResultsView((state) => state.filter.fits?.text ?? '');
  const searching = useResultsView((state) => state.searching);
  const input = useRef<HTMLInputElement>(null);
  const { typed, setTyped, tellNow } = useTyped(text, findFromTop, pauseMs);
  useEffect(() => {
    if (!searching) return;
    input.current?.focus();
    input.current?.select();
    useResultsView.setState({ searching: false });
  }, [searching]);
  const onKeyDown = (event: KeyboardEvent) => {
    const leaves = event.key === 'ArrowDown' || (event.key === 'Escape' && typed === '');
    if (event.nativeEvent.isComposing || !(leaves || event.key === 'Enter')) return;
    event.preventDefault();
    tellNow();
    grid()?.focus();
  };
  return (
    <SearchField
      label={t('find.field')}
      value={typed}
      onChange={setTyped}
      inputRef={input}
      onKeyDown={onKeyDown}
      maxLength={500}
      keys={menuCommands.find}
    />
  );
};

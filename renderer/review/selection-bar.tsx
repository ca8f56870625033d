import { useKeyOf } from '../commands/bindable.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { VerdictSign } from '../ui/chip.tsx';
import { decideOn, skip, toggleFlag, undoLast } from './actions.ts';
import { confirmTargets, targets } from './commands.ts';
import { nothingSelected } from './selection.ts';
import { isHidden, useReview } from './state.ts';

const keepsFocus = { preventFocusOnPress: true };

/** What can be done with the selection, in sight while there is one. */
export const SelectionBar = () => {
  const { t } = useWords();
  const count = useReview((state) => state.selection.ids.size);
  const hidden = useReview(isHidden);
  const keys = { yes: useKeyOf('review yes'), no: useKeyOf('review no'), maybe: useKeyOf('review maybe') };
  const confirmKey = useKeyOf('review confirm');
  const skipKey = useKeyOf('review skip');
  const flagKey = useKeyOf('review flag');
  const undoKey = useKeyOf('review undo');
  const selectKey = useKeyOf('review select');
  if (count === 0)
    return (
      <div className="selection-bar">
        <span className="muted">{t('review.selectHint')}</span>
        <span className="grow" />
        <Button
          kind="quiet"
          keys={selectKey}
          {...keepsFocus}
          onPress={() => {
            const [item] = targets();
            if (item) useReview.setState({ selection: { ids: new Set([item.verdictId]), anchor: item.verdictId } });
          }}
        >
          {t('review.select')}
        </Button>
        <Button keys={undoKey} onPress={undoLast} {...keepsFocus}>
          {t('action.undo')}
        </Button>
      </div>
    );
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('review.selected', { count })}>
      <b className="num">{t('review.selected', { count })}</b>
      <Button
        kind="quiet"
        keys="Escape"
        onPress={() => useReview.setState({ selection: nothingSelected })}
        {...keepsFocus}
      >
        {t('review.selectNone')}
      </Button>
      <span className="grow" />
      <Button kind="primary" keys={confirmKey} isDisabled={hidden} onPress={confirmTargets} {...keepsFocus}>
        {t('review.confirmAction')}
      </Button>
      {(['yes', 'no', 'maybe'] as const).map((label) => (
        <Button key={label} keys={keys[label]} onPress={() => decideOn(targets(), label)} {...keepsFocus}>
          <span className={`answer ${label}`}>
            <VerdictSign label={label} />
            {t(`likely.${label}`)}
          </span>
        </Button>
      ))}
      <Button keys={skipKey} onPress={() => skip(targets())} {...keepsFocus}>
        {t('review.skipAction')}
      </Button>
      <Button keys={flagKey} onPress={() => toggleFlag(targets())} {...keepsFocus}>
        {t('review.flag')}
      </Button>
      <Button keys={undoKey} onPress={undoLast} {...keepsFocus}>
        {t('action.undo')}
      </Button>
    </div>
  );
};

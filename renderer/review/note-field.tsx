import { MessageSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { longestNote } from '../../main/contract/review.ts';
import { useKeyOf } from '../commands/bindable.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { useReview } from './state.ts';

/** Back to the photo, where the single keys work. */
const leave = () => {
  useReview.setState({ writingNote: false });
  document.querySelector<HTMLElement>('[data-stage], [data-grid]')?.focus();
};

/** A note goes with the next decision, or gives a flag its reason. Enter keeps it, Escape throws it away. */
export const NoteField = () => {
  const { t } = useWords();
  const note = useReview((state) => state.note);
  const writing = useReview((state) => state.writingNote);
  const key = useKeyOf('review note');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (writing) field.current?.focus();
  }, [writing]);
  if (!writing)
    return (
      <div className="note-line">
        <Button kind="quiet" icon={MessageSquare} keys={key} onPress={() => useReview.setState({ writingNote: true })}>
          {note === '' ? t('review.addNote') : <span className="clip written">{note}</span>}
        </Button>
      </div>
    );
  return (
    <label className="note-edit">
      <span className="unseen">{t('review.note')}</span>
      <textarea
        ref={field}
        className="input"
        rows={2}
        maxLength={longestNote}
        value={note}
        placeholder={t('review.notePlaceholder')}
        onChange={(event) => useReview.setState({ note: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') useReview.setState({ note: '' });
          if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return;
          event.preventDefault();
          leave();
        }}
      />
      <span className="muted">{t('review.noteKeys')}</span>
    </label>
  );
};

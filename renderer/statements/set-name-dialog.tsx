import { type FormEvent, useState } from 'react';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';

type Props = Readonly<{
  title: string;
  start: string;
  action: string;
  onDone: (name: string) => void;
  onClose: () => void;
}>;

export const SetNameDialog = ({ title, start, action, onDone, onClose }: Props) => {
  const { t } = useWords();
  const [name, setName] = useState(start);
  const ready = name.trim() !== '' && name.trim() !== start;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onDone(name.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={t('statements.setName')} value={name} onChange={setName} maxLength={200} autoFocus />
        <div className="buttons" style={{ marginTop: 16 }}>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={!ready}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

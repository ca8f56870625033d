import { useState } from 'react';
import { TextField as AriaText, Label, TextArea } from 'react-aria-components';
import type { StatementSetView, StatementView } from '../../main/contract/views.ts';
import { VouchFailure } from '../../main/failure.ts';
import { useCommands } from '../commands/registry.ts';
import { reportFailure } from '../data/actions.ts';
import { type Draft, draftOf, emptyDraft, isDouble, sameDraft } from '../data/statement-draft.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Field, NumberField, TextField } from '../ui/fields.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Callout, Failure } from '../ui/states.tsx';
import { saveStatement } from './actions.ts';
import { PreviewPanel } from './preview-panel.tsx';

type Props = Readonly<{
  set: StatementSetView;
  /** null: a new one. */
  statement: StatementView | null;
  onSaved: (statementId: string | null) => void;
  onClose: () => void;
}>;

export const StatementForm = ({ set, statement, onSaved, onClose }: Props) => {
  const { t } = useWords();
  const start = statement ? draftOf(statement) : emptyDraft;
  const [draft, setDraft] = useState<Draft>(start);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<VouchFailure | null>(null);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setFailure(null);
  };
  const double = isDouble(set, statement?.id ?? null, draft.text);
  const changed = !sameDraft(draft, start);
  const ready = changed && draft.text.trim() !== '' && !double && !busy;
  const judged = statement ? statement.counts.yes + statement.counts.no + statement.counts.maybe : 0;

  const save = async () => {
    if (!ready) return;
    setBusy(true);
    try {
      const saved = await saveStatement(set, statement?.id ?? null, draft);
      onSaved(saved?.id ?? null);
    } catch (reason) {
      if (reason instanceof VouchFailure) setFailure(reason);
      else reportFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  useCommands('statement form', [
    {
      id: 'save statement',
      text: 'command.saveStatement',
      group: 'statements',
      keys: ['$mod+s', '$mod+Enter'],
      enabled: ready,
      run: () => void save(),
    },
  ]);

  return (
    <div className="statement-form">
      <AriaText
        className="field"
        value={draft.text}
        onChange={(text) => change({ text })}
        autoFocus={statement === null}
        maxLength={2000}
        isInvalid={double}
      >
        <Label>{t(statement ? 'statements.text' : 'statements.newText')}</Label>
        <TextArea className="input" rows={3} placeholder={t('statements.placeholder')} />
        {double && <span className="invalid">{t('statements.double')}</span>}
      </AriaText>
      <PreviewPanel text={draft.text} />
      {statement && draft.text.trim() !== statement.text && judged > 0 && (
        <Callout tone="info">{t('statements.editConsequence', { count: judged })}</Callout>
      )}
      <TextField
        label={t('statements.tag')}
        value={draft.tag}
        onChange={(tag) => change({ tag })}
        placeholder={t('statements.tagPlaceholder')}
        maxLength={200}
      />
      <div className="two">
        {(['yes', 'no'] as const).map((side) => (
          <NumberField
            key={side}
            label={t(`statements.${side}From`)}
            value={draft[side]}
            min={0.5}
            max={1}
            step={0.01}
            digits={2}
            placeholder={t('statements.packDefault')}
            onChange={(threshold) => change({ [side]: threshold })}
          />
        ))}
      </div>
      <Field label={t('statements.flag')} note={t('statements.flagNote')}>
        <Segmented<Draft['flag']>
          label={t('statements.flag')}
          value={draft.flag}
          options={[
            { value: 'none', label: t('statements.flagNone') },
            { value: 'yes', label: t('label.yes') },
            { value: 'no', label: t('label.no') },
          ]}
          onChange={(flag) => change({ flag })}
        />
      </Field>
      <TextField
        label={t('statements.note')}
        value={draft.note}
        onChange={(note) => change({ note })}
        maxLength={2000}
      />
      {failure && <Failure failure={failure} />}
      <div className="buttons">
        <Button kind="primary" isDisabled={!ready} onPress={() => void save()} keys="$mod+s">
          {t(statement ? 'action.save' : 'statements.add')}
        </Button>
        <Button
          onPress={() => {
            setDraft(start);
            onClose();
          }}
        >
          {t(changed ? 'action.discard' : 'action.close')}
        </Button>
      </div>
    </div>
  );
};

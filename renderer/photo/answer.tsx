import type { Grade, Label, Probabilities } from '../../main/contract/labels.ts';
import type { Cap, VerdictReason } from '../../main/contract/reason.ts';
import { useWords } from '../i18n/index.ts';
import { ConfidenceBars } from '../ui/bars.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { uncheckedBeyond } from './unchecked.ts';

type Judged = Readonly<{
  label: Label;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  reason: VerdictReason;
  p: Probabilities | null;
}>;

type Props = Readonly<{
  answer: Judged;
  caps?: readonly Cap[] | undefined;
  /** Words of the statement that nothing could check. */
  notChecked?: readonly string[] | undefined;
  thresholds?: Readonly<{ yes: number; no: number }> | undefined;
  /** The label that a person gave it, which takes the place of the model's. */
  reviewed?: Label | null;
}>;

const nothing: readonly never[] = [];

/** What the model answers: the label and how sure it is, the sentence in plain words, then the figures and what held them. */
export const Answer = ({ answer, caps = nothing, notChecked = nothing, thresholds, reviewed = null }: Props) => {
  const { t, format, reasonText, capText } = useWords();
  const { label, lean, confidence, grade, reason, p } = answer;
  const unchecked = uncheckedBeyond(notChecked, reason, caps);
  return (
    <>
      <div className="lean">
        <VerdictChip label={reviewed ?? label} grade={reviewed ? 'high' : grade} />
        {reviewed && <span>{t('verdict.byReview')}</span>}
        {lean && confidence !== null && (
          <span className="num">
            {t(label === lean ? `verdict.grade.${grade}` : `verdict.leans.${lean}`, {
              confidence: format.score(confidence),
            })}
          </span>
        )}
      </div>
      <p className="why" data-testid="why">
        {reasonText(reason)}
        {unchecked.length > 0 &&
          ` ${reasonText({ code: 'words_not_checked', params: { words: unchecked, evidence: [] } })}`}
      </p>
      {p && <ConfidenceBars p={p} thresholds={thresholds} />}
      {caps.length > 0 && (
        <div className="caps">
          {caps.map((cap) => (
            <p key={`${cap.side} ${cap.reason.code}`}>{capText(cap)}</p>
          ))}
        </div>
      )}
    </>
  );
};

/** What was asked, over its answer. */
export const Question = ({ set, statement }: Readonly<{ set: string; statement: string }>) => {
  const { t } = useWords();
  return (
    <div>
      <h2>{t('verdict.statement', { set })}</h2>
      <h3 className="say">{statement}</h3>
    </div>
  );
};

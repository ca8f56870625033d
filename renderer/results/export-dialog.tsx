import './export.css';
import { useEffect, useState } from 'react';
import { type ExportFormat, type ExportPlan, exportFormats } from '../../main/contract/export.ts';
import { reportFailure } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Switch } from '../ui/fields.tsx';
import { fileName } from '../ui/path.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Callout, Progress } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { useUi } from '../ui-state.ts';
import { useResultsView } from './state.ts';

type Share = Readonly<{ rows: number; total: number }>;

/** What would be added to and taken out of sidecars. */
const Changes = ({ plan }: Readonly<{ plan: ExportPlan }>) => {
  const { t } = useWords();
  const [first] = plan.failed;
  const failed = first && (
    <Callout>
      <strong>{t('export.failed', { count: plan.failed.length })}</strong>
      <span className="selectable">{t('export.failedOne', { ...first, name: fileName(first.sidecar) })}</span>
    </Callout>
  );
  if (plan.files === 0) return failed ?? <p className="note">{t('export.nothing')}</p>;
  return (
    <>
      {failed}
      <p className="note">{t('export.wouldChange', { count: plan.files })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard */}
      <ul className="changes" tabIndex={0} aria-label={t('export.preview')}>
        {plan.changes.map(({ sidecar, added, removed }) => (
          <li key={sidecar}>
            <span className="clip">{fileName(sidecar)}</span>
            <span className="keywords">
              {added.map((keyword) => (
                <ins key={keyword}>+ {keyword}</ins>
              ))}
              {removed.map((keyword) => (
                <del key={keyword}>− {keyword}</del>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Runs one export or plan at a time; closing the dialog stops it. */
const useExporting = () => {
  const [requestId, setRequestId] = useState<string | null>(null);
  const [share, setShare] = useState<Share | null>(null);
  useEffect(() => vouch.on('export', setShare), []);
  useEffect(() => {
    if (requestId === null) return;
    return () => vouch.cancel(requestId);
  }, [requestId]);
  const during = async <T,>(work: (requestId: string) => Promise<T>): Promise<T | null> => {
    const id = crypto.randomUUID();
    setShare(null);
    setRequestId(id);
    try {
      return await work(id);
    } catch (failure) {
      reportFailure(failure);
      return null;
    } finally {
      setRequestId(null);
    }
  };
  return { busy: requestId !== null, share, during, stop: () => requestId !== null && vouch.cancel(requestId) };
};

export const ExportDialog = () => {
  const { t, format } = useWords();
  const shown = useResultsView((state) => state.filter);
  const close = () => useUi.getState().setOverlay('none');
  const [kind, setKind] = useState<ExportFormat>('csv');
  const [reviewed, setReviewed] = useState(false);
  const isFiltered = Object.keys(shown).length > 0;
  const [filtered, setFiltered] = useState(isFiltered);
  const [plan, setPlan] = useState<ExportPlan | null>(null);
  const { busy, share, during, stop } = useExporting();
  const wanted = { format: kind, reviewed, filter: filtered ? shown : {} };

  const preview = () => during(async (requestId) => setPlan(await answerOf(vouch.export.plan(wanted, { requestId }))));
  // Rows are counted at once; sidecars are only looked at when asked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is wanted is made of these
  useEffect(() => {
    setPlan(null);
    if (kind === 'xmp') return;
    let stale = false;
    answerOf(vouch.export.plan(wanted)).then((found) => !stale && setPlan(found), reportFailure);
    return () => {
      stale = true;
    };
  }, [kind, reviewed, filtered, shown]);

  const run = () =>
    during(async (requestId) => {
      const done = await answerOf(vouch.export.run(wanted, { requestId }));
      if (!done) return;
      const { failed, path, rows, files } = done;
      const [first] = failed;
      toast({
        title: t('export.done'),
        detail: path
          ? t('export.doneFile', { count: rows, name: fileName(path) })
          : t('export.doneSidecars', { count: files }),
      });
      if (first) {
        const { sidecar, problem } = first;
        const detail = t('export.failedOne', { name: fileName(sidecar), problem });
        toast({ title: t('export.failed', { count: failed.length }), detail, bad: true });
      }
      close();
    });

  const text = share
    ? t('export.progressText', { done: format.integer(share.rows), total: format.integer(share.total) })
    : '';
  // Buttons that wait keep the focus, and with it Escape: disabled ones would lose it.
  return (
    <Dialog title={t('export.title')} onClose={close}>
      <div className="export-form">
        <Field label={t('export.format')} note={t(`export.${kind}Note`)}>
          <Segmented
            label={t('export.format')}
            value={kind}
            options={exportFormats.map((value) => ({ value, label: t(`export.${value}`), disabled: busy }))}
            onChange={setKind}
          />
        </Field>
        <Switch selected={reviewed} onChange={setReviewed}>
          {t('export.reviewed')}
        </Switch>
        {isFiltered && (
          <Switch selected={filtered} onChange={setFiltered}>
            {t('export.filtered')}
          </Switch>
        )}
        <div aria-live="polite">
          {busy ? (
            <>
              <Progress label={t('export.progress')} share={share ? share.rows / Math.max(1, share.total) : null} />
              <p className="note num">{text}</p>
            </>
          ) : (
            plan &&
            (kind === 'xmp' ? (
              <Changes plan={plan} />
            ) : (
              <p className="note">{t('export.rows', { count: plan.rows })}</p>
            ))
          )}
        </div>
        <div className="buttons">
          {busy ? (
            <Button onPress={stop}>{t('export.stop')}</Button>
          ) : (
            <Button onPress={close}>{t('action.cancel')}</Button>
          )}
          {kind === 'xmp' && (
            <Button isPending={busy} onPress={() => void preview()}>
              {t('export.preview')}
            </Button>
          )}
          <Button kind="primary" isPending={busy} onPress={() => void run()}>
            {t(kind === 'xmp' ? 'export.write' : 'export.run')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

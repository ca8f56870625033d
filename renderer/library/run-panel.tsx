import { Pause, Play, X } from 'lucide-react';
import { labels } from '../../main/contract/labels.ts';
import type { Run } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { cancelRun, pauseRun, resumeRun, scan } from '../data/actions.ts';
import { useFolders } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { folderName } from '../ui/path.ts';
import { Callout, Progress } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

/** Progress with rate and time left, where the work can be paused, gone on with and called off. */
export const RunPanel = ({ run }: Readonly<{ run: Run }>) => {
  const { t, format, errorText } = useWords();
  const folders = useFolders().data;
  const { photos } = run;
  const running = run.status === 'running';
  const paused = run.status === 'paused';
  const active = running || paused;
  const names = run.folderIds.flatMap((id) => {
    const folder = folders?.find((candidate) => candidate.id === id);
    return folder ? [folderName(folder.path)] : [];
  });
  const where = names.length > 0 ? format.list(names.slice(0, 3)) : t('run.allFolders');
  const share = photos.found > 0 ? photos.done / photos.found : running && run.discovering ? null : 0;
  const toggle = () => void (running ? pauseRun(run.id) : resumeRun(run.id));
  useCommands(
    'run',
    active
      ? [
          {
            id: 'pause',
            text: running ? 'command.pause' : 'command.resume',
            group: 'library',
            keys: ['$mod+.'],
            run: toggle,
          },
          { id: 'cancel run', text: 'command.cancelRun', group: 'library', run: () => void cancelRun(run.id) },
        ]
      : [],
  );
  return (
    <section className="run-panel" aria-label={t('run.title')}>
      <div className="line">
        <strong className="clip">{t(`run.status.${run.status}`, { where })}</strong>
        <span className="muted num grow">
          {active ? (
            <>
              {t('run.of', { done: format.integer(photos.done), found: format.integer(photos.found) })}
              {run.discovering && ` ${t('run.discovering')}`}
            </>
          ) : (
            run.endedAt !== null && <When at={run.endedAt} />
          )}
        </span>
        {running && (
          <span className="muted num">
            {t('run.rate', { rate: format.rate(run.photosPerSecond) })}
            {run.etaMs !== null && `, ${t('run.left', { span: format.span(run.etaMs) })}`}
          </span>
        )}
        {active && (
          <>
            <Button icon={running ? Pause : Play} onPress={toggle}>
              {t(running ? 'action.pause' : 'action.resume')}
            </Button>
            <Button icon={X} onPress={() => void cancelRun(run.id)}>
              {t('action.cancel')}
            </Button>
          </>
        )}
        {(run.status === 'cancelled' || run.status === 'failed') && (
          <Button icon={Play} onPress={() => void scan(run.folderIds)}>
            {t('action.goOn')}
          </Button>
        )}
      </div>
      {active && <Progress label={t('run.progress')} share={share} paused={paused} />}
      {run.error && <Callout tone="bad">{errorText(run.error)}</Callout>}
      <div className="figures">
        <span>
          {t('run.judged')} <b className="num">{format.integer(photos.judged)}</b>
        </span>
        <span>
          {t('run.cached')} <b className="num">{format.integer(photos.cached)}</b>
        </span>
        <span>
          {t('run.quarantined')} <b className="num">{format.integer(photos.quarantined)}</b>
        </span>
        <span>
          {t('run.ignored')} <b className="num">{format.integer(photos.ignored)}</b>
        </span>
        <span className="chips">
          {labels.map((label) => (
            <span key={label}>
              <VerdictChip label={label} grade={label === 'maybe' ? 'low' : 'medium'} />
              <b className="num">{format.integer(run.verdicts[label])}</b>
            </span>
          ))}
        </span>
      </div>
    </section>
  );
};

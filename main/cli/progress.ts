/** Progress of long work on stderr: a bar on a terminal, a line every few seconds elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import { note } from './output.ts';

type ProgressLine = Readonly<{
  done: number;
  total: number;
  perSecond: number;
  etaMs: number | null;
  extra: string;
}>;
export type Progress = Readonly<{ update: (line: ProgressLine) => void; end: () => void }>;

const plainEveryMs = 5000;

const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const figures = ({ perSecond, etaMs, extra }: ProgressLine): string =>
  [
    perSecond > 0 && `${perSecond.toFixed(1)} photos/s`,
    etaMs !== null && etaMs > 0 && `about ${duration(etaMs)} left`,
    extra,
  ]
    .filter(Boolean)
    .join(', ');

export const openProgress = (title: string): Progress => (process.stderr.isTTY ? openBar(title) : openLines(title));

const openBar = (title: string): Progress => {
  const bar = new SingleBar(
    { format: `${title} {bar} {value}/{total}  {figures}`, stream: process.stderr, hideCursor: true, fps: 5 },
    Presets.rect,
  );
  let started = false;
  return {
    update: (line) => {
      if (!started) bar.start(line.total, 0, { figures: '' });
      started = true;
      bar.setTotal(line.total);
      bar.update(line.done, { figures: figures(line) });
    },
    end: () => bar.stop(),
  };
};

const openLines = (title: string): Progress => {
  let toldAt = performance.now();
  return {
    update: (line) => {
      if (performance.now() - toldAt < plainEveryMs) return;
      toldAt = performance.now();
      note(`${title}: ${line.done} of ${line.total}, ${figures(line)}`);
    },
    end: () => undefined,
  };
};

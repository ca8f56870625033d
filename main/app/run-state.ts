/** The runs of the app as plain data, and the steps that they take. Pure. */
import type { VouchError } from '../contract/errors.ts';
import type { LabelCounts, Run, RunStatus } from '../contract/views.ts';
import type { ScanProgress } from '../library/scan-types.ts';

export type ScanRequest = Readonly<{
  /** No folder named means all of them. */
  folderIds: readonly string[];
  recheck: 'none' | 'all' | 'degraded' | 'precision';
  retryQuarantined: boolean;
}>;

/** What one scan of a run has come to, with the effective labels of the photos in its folders. */
export type Scanned = Readonly<{
  photos: Omit<ScanProgress, 'discovering' | 'photosPerSecond' | 'etaMs'>;
  verdicts: LabelCounts;
  statementCache: Readonly<{ hits: number; misses: number }>;
}>;

export type RunsState = Readonly<{
  /** The run under way, else the last one. */
  run: Run | null;
  /** What the run under way was asked for; null between runs. */
  request: ScanRequest | null;
  /** What was asked for meanwhile: the next run. */
  next: ScanRequest | null;
  /** Photos judged in scans of this run that a restart ended: the next scan finds them cached. */
  judgedBefore: number;
  /** Photos judged in the scan under way. */
  judgedNow: number;
}>;

export const noRuns: RunsState = { run: null, request: null, next: null, judgedBefore: 0, judgedNow: 0 };

/** Whether a run is under way, be it that it only stores what it finished. */
export const isUnderWay = ({ request }: RunsState): boolean => request !== null;

/** The run that is shown, if it has this id. */
export const runWithId = ({ run }: RunsState, id: string): Run | undefined => (run?.id === id ? run : undefined);

const isLive = (status: RunStatus): boolean => status === 'running' || status === 'paused';

const change = (state: RunsState, fields: Partial<Run>): RunsState =>
  state.run ? { ...state, run: { ...state.run, ...fields } } : state;

/** A change of the run under way if it has this id and stands so. */
const changeLive = (state: RunsState, id: string, from: readonly RunStatus[], fields: Partial<Run>): RunsState =>
  isUnderWay(state) && state.run?.id === id && from.includes(state.run.status) ? change(state, fields) : state;

export const begun = (state: RunsState, request: ScanRequest, id: string, at: number): RunsState => ({
  ...state,
  request,
  judgedBefore: 0,
  judgedNow: 0,
  run: {
    id,
    status: 'running',
    folderIds: request.folderIds,
    startedAt: at,
    endedAt: null,
    discovering: true,
    photos: { found: 0, done: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 },
    verdicts: { yes: 0, no: 0, maybe: 0 },
    photosPerSecond: 0,
    pairsPerSecond: 0,
    etaMs: null,
    error: null,
  },
});

const photosOf = (photos: Scanned['photos'], judgedBefore: number): Run['photos'] => {
  const { found, ignored, quarantined } = photos;
  const again = Math.min(judgedBefore, photos.cached);
  const judged = photos.judged + again;
  const cached = photos.cached - again;
  return { found, done: judged + cached + quarantined, judged, cached, quarantined, ignored };
};

/** `statements`: on how many a photo is judged. */
export const progressed = (state: RunsState, progress: ScanProgress, statements: number): RunsState => {
  const { discovering, photosPerSecond, etaMs } = progress;
  return change(
    { ...state, judgedNow: progress.judged },
    {
      ...{ discovering, photosPerSecond, etaMs },
      photos: photosOf(progress, state.judgedBefore),
      pairsPerSecond: photosPerSecond * statements,
    },
  );
};

export const counted = (state: RunsState, verdicts: LabelCounts): RunsState => change(state, { verdicts });

/** The scan under way has ended by itself. */
export const scanned = (state: RunsState, { photos, verdicts }: Scanned): RunsState =>
  change(state, { discovering: false, photos: photosOf(photos, state.judgedBefore), verdicts, etaMs: null });

/** The scan under way was stopped, and the run goes on with another. */
export const restarted = (state: RunsState): RunsState => ({
  ...state,
  judgedBefore: state.judgedBefore + state.judgedNow,
  judgedNow: 0,
});

export const paused = (state: RunsState, id: string): RunsState =>
  changeLive(state, id, ['running'], { status: 'paused', etaMs: null });

export const resumed = (state: RunsState, id: string): RunsState =>
  changeLive(state, id, ['paused'], { status: 'running' });

/** What was asked for meanwhile is given up too. */
export const cancelled = (state: RunsState, id: string): RunsState =>
  isUnderWay(state) && state.run?.id === id
    ? changeLive({ ...state, next: null }, id, ['running', 'paused'], { status: 'cancelled' })
    : state;

export const ended = (
  state: RunsState,
  status: Exclude<RunStatus, 'running' | 'paused'>,
  error: VouchError | null,
  at: number,
): RunsState => change({ ...state, request: null }, { status, error, endedAt: at, etaMs: null });

const merged = (a: ScanRequest, b: ScanRequest): ScanRequest => ({
  folderIds: a.folderIds.length && b.folderIds.length ? [...new Set([...a.folderIds, ...b.folderIds])] : [],
  recheck: a.recheck === 'none' ? b.recheck : a.recheck,
  retryQuarantined: a.retryQuarantined || b.retryQuarantined,
});

/** Several requests become one run. */
export const askedFor = (state: RunsState, request: ScanRequest): RunsState => ({
  ...state,
  next: state.next ? merged(state.next, request) : request,
});

/** Whether the run under way was cancelled and only stores what it finished. */
export const isDraining = ({ run, request }: RunsState): boolean => request !== null && !!run && !isLive(run.status);

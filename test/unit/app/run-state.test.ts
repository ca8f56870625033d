/** The steps of a run, each from a plain state to the next. */
import { describe, expect, it } from 'vitest';
import {
  askedFor,
  begun,
  cancelled,
  ended,
  isDraining,
  isUnderWay,
  noRuns,
  paused,
  progressed,
  type RunsState,
  restarted,
  resumed,
  type ScanRequest,
  scanned,
} from '../../../main/app/run-state.ts';

const all: ScanRequest = { folderIds: [], recheck: 'none', retryQuarantined: false };
const on = (...folderIds: readonly string[]): ScanRequest => ({ ...all, folderIds });
const id = 'a';
const running = begun(noRuns, all, id, 1);
const rate = { discovering: false, photosPerSecond: 4, etaMs: 500 };
const photos = (judged: number, cached = 0, quarantined = 0) => ({
  ...{ found: 20, judged, cached, quarantined, ignored: 3 },
});
const verdicts = { yes: 1, no: 2, maybe: 3 };
const statementCache = { hits: 0, misses: 0 };
const photosOf = ({ run }: RunsState) => run?.photos;

describe('a run under way', () => {
  it('counts as done what was judged, cached or quarantined, and a pair for each statement', () => {
    const { run } = progressed(running, { ...photos(4, 5, 1), ...rate }, 3);
    expect(run).toMatchObject({ status: 'running', discovering: false, pairsPerSecond: 12, etaMs: 500 });
    expect(run?.photos).toEqual({ found: 20, done: 10, judged: 4, cached: 5, quarantined: 1, ignored: 3 });
  });

  it('counts as judged what scans judged that a restart ended, and the next ones find cached', () => {
    const first = restarted(progressed(running, { ...photos(4, 2), ...rate }, 1));
    expect(photosOf(progressed(first, { ...photos(0, 6), ...rate }, 1))).toMatchObject({
      judged: 4,
      cached: 2,
      done: 6,
    });
    const second = restarted(progressed(first, { ...photos(5, 6), ...rate }, 1));
    const over = scanned(second, { photos: photos(9, 11), verdicts, statementCache });
    expect(photosOf(over)).toMatchObject({ judged: 18, cached: 2, done: 20 });
    expect(over.run).toMatchObject({ discovering: false, etaMs: null, verdicts });
    // Not more than are cached: a changed file may be judged once more.
    expect(photosOf(progressed(second, { ...photos(3, 1), ...rate }, 1))).toMatchObject({ judged: 4, cached: 0 });
  });

  it('counts from the start in the next run', () => {
    const before = restarted(progressed(running, { ...photos(4), ...rate }, 1));
    const next = begun(ended(before, 'done', null, 2), all, 'b', 3);
    expect(photosOf(progressed(next, { ...photos(0, 9), ...rate }, 1))).toMatchObject({ judged: 0, cached: 9 });
  });

  it('is paused and resumed by its id alone, and only as it stands', () => {
    const held = paused(running, id);
    expect(held.run).toMatchObject({ status: 'paused', etaMs: null });
    expect(paused(held, id)).toBe(held);
    expect(paused(running, 'b')).toBe(running);
    expect(resumed(held, id).run?.status).toBe('running');
    expect(resumed(running, id)).toBe(running);
    const over = ended(running, 'done', null, 2);
    for (const step of [paused, resumed, cancelled]) expect(step(over, id)).toBe(over);
  });

  it('drains once it is cancelled, and takes with it what was asked for meanwhile', () => {
    const draining = cancelled(askedFor(paused(running, id), on('/a')), id);
    expect(draining).toMatchObject({ next: null, run: { status: 'cancelled', endedAt: null } });
    expect([isUnderWay(draining), isDraining(draining)]).toEqual([true, true]);
    // What is asked for now is another run.
    expect(askedFor(draining, on('/b')).next).toEqual(on('/b'));
    const over = ended(draining, 'cancelled', null, 5);
    expect([isUnderWay(over), isDraining(over), over.run?.endedAt]).toEqual([false, false, 5]);
  });
});

describe('what is asked for meanwhile', () => {
  const asked = (...requests: readonly ScanRequest[]) => requests.reduce(askedFor, running).next;

  it('becomes one run over all folders that were named', () => {
    expect(asked(on('/a'), on('/b', '/a'))).toEqual(on('/a', '/b'));
    expect(asked(on('/a'), all)).toEqual(all);
    expect(asked(all, on('/a'))).toEqual(all);
  });

  it('keeps what is to be judged again', () => {
    const recheck: ScanRequest = { ...all, recheck: 'degraded' };
    expect(asked(recheck, all)?.recheck).toBe('degraded');
    expect(asked(all, recheck)?.recheck).toBe('degraded');
    expect(asked({ ...all, retryQuarantined: true }, all)?.retryQuarantined).toBe(true);
  });
});

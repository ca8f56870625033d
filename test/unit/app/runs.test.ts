import { describe, expect, it } from 'vitest';
import type { RunEnd, RunPorts, ScanControl } from '../../../main/app/run-loop.ts';
import type { Scanned, ScanRequest } from '../../../main/app/run-state.ts';
import { openRuns } from '../../../main/app/runs.ts';
import type { Run } from '../../../main/contract/views.ts';
import { errorOf, failWith } from '../../../main/failure.ts';
import type { RunRecord } from '../../../main/store/types.ts';

const all: ScanRequest = { folderIds: [], recheck: 'none', retryQuarantined: false };
const none = { yes: 0, no: 0, maybe: 0 };
const noPhotos = { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 };
const noCache = { hits: 0, misses: 0 };
const tick = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs with the store's part noted: what was begun, and how it ended. */
const openWith = (ports: Pick<RunPorts, 'scan'> & Partial<RunPorts>) => {
  const kept: { id: string; end: RunEnd | null }[] = [];
  const runs = openRuns({
    begin: async (id) => {
      kept.push({ id, end: null });
      const key = kept.length - 1;
      return { key, id, kind: 'scan', state: 'running', startedAt: 0, finishedAt: null, params: {}, counts: {} };
    },
    end: async ({ key }: RunRecord, end) => {
      kept[key]!.end = end;
    },
    explain: (thrown) => errorOf(thrown),
    verdicts: async () => none,
    onChange: () => undefined,
    onVerdicts: () => undefined,
    onEnd: () => undefined,
    ...ports,
  });
  return { runs, kept };
};

/** Scans `found` photos one by one; what an earlier scan has judged is cached. */
const bench = (found: number, perPhotoMs = 2) => {
  const judgedAlready = new Set<number>();
  const requests: ScanRequest[] = [];
  const told: Run[] = [];
  const scan = async (
    _: RunRecord,
    request: ScanRequest,
    { signal, whileRunning, onProgress }: ScanControl,
  ): Promise<Scanned> => {
    requests.push(request);
    const photos = { found, judged: 0, cached: judgedAlready.size, quarantined: 0, ignored: 0 };
    for (let i = 0; i < found && !signal.aborted; i += 1) {
      if (judgedAlready.has(i)) continue;
      await whileRunning();
      if (signal.aborted) break;
      await tick(perPhotoMs);
      judgedAlready.add(i);
      photos.judged += 1;
      onProgress({ ...photos, discovering: false, photosPerSecond: 10, etaMs: 100 }, 3);
    }
    return { photos, verdicts: { ...none, yes: judgedAlready.size }, statementCache: { hits: 2, misses: 1 } };
  };
  const { runs, kept } = openWith({ scan, onChange: (run) => told.push(run) });
  const end = async () => {
    while (runs.active()) await tick(1);
    return runs.current()!;
  };
  return { runs, kept, requests, told, end };
};

describe('a run', () => {
  it('tells its progress and its end', async () => {
    const { runs, kept, told, end } = bench(10);
    const { id } = runs.start(all);
    const run = await end();
    expect(run).toMatchObject({ id, status: 'done', discovering: false, etaMs: null, verdicts: { yes: 10 } });
    expect(run.photos).toMatchObject({ found: 10, done: 10, judged: 10, cached: 0 });
    expect(run.pairsPerSecond).toBe(30);
    const totals = { photos: run.photos, statementCache: { hits: 2, misses: 1 } };
    expect(kept).toEqual([{ id, end: { state: 'done', totals } }]);
    expect(told[0]).toMatchObject({ status: 'running', discovering: true });
    expect(told.at(-1)).toEqual(run);
    await runs.close();
  });

  it('stands still while paused', async () => {
    const { runs, end } = bench(10);
    const { id } = runs.start(all);
    await tick(6);
    expect(runs.pause(id)?.status).toBe('paused');
    await tick(6);
    const { judged } = runs.current()!.photos;
    await tick(20);
    expect(runs.current()!.photos.judged).toBe(judged);
    expect(runs.resume(id)?.status).toBe('running');
    expect((await end()).photos.judged).toBe(10);
    await runs.close();
  });

  it('keeps what is finished when it is cancelled, paused or not', async () => {
    for (const paused of [false, true]) {
      const { runs, end } = bench(50);
      const { id } = runs.start(all);
      await tick(10);
      if (paused) runs.pause(id);
      expect(runs.cancel(id)?.status).toBe('cancelled');
      const run = await end();
      expect(run.status).toBe('cancelled');
      expect(run.photos.judged).toBeLessThan(50);
      expect(runs.pause(id)?.status).toBe('cancelled');
      expect(runs.cancel('another')).toBeUndefined();
      await runs.close();
    }
  });

  it('goes on after a restart, and counts as judged what its first part judged', async () => {
    const { runs, kept, requests, end } = bench(30);
    const { id } = runs.start(all);
    await tick(15);
    let changed = false;
    await runs.restart(async () => {
      await tick(5);
      changed = true;
    });
    const run = await end();
    expect(changed).toBe(true);
    expect(run).toMatchObject({ id, status: 'done', photos: { found: 30, done: 30, judged: 30, cached: 0 } });
    expect(requests).toHaveLength(2);
    const totals = { photos: run.photos, statementCache: { hits: 4, misses: 2 } };
    expect(kept).toEqual([{ id, end: { state: 'done', totals } }]);
    await runs.close();
  });

  it('stays cancelled when it is cancelled while it waits to start over', async () => {
    const { runs, requests, end } = bench(30);
    const { id } = runs.start(all);
    await tick(10);
    const changed = runs.restart(async () => void (await tick(20)));
    expect(runs.cancel(id)?.status).toBe('cancelled');
    await changed;
    expect((await end()).status).toBe('cancelled');
    expect(requests).toHaveLength(1);
    await runs.close();
  });

  it('waits for a change that is being made as it begins', async () => {
    const ended: string[] = [];
    const { runs } = openWith({
      scan: async () => {
        ended.push('scan');
        return { photos: noPhotos, verdicts: none, statementCache: noCache };
      },
    });
    const changed = runs.restart(async () => {
      await tick(20);
      ended.push('change');
    });
    await runs.through(all);
    await changed;
    expect(ended).toEqual(['change', 'scan']);
    await runs.close();
  });

  it('is over for whoever asked for it, be it the next one', async () => {
    const { runs, kept, requests } = bench(10);
    const first = runs.through({ ...all, folderIds: ['/a'] });
    const second = runs.through({ ...all, folderIds: ['/b'] });
    await first;
    expect(kept[0]?.end?.state).toBe('done');
    expect(kept[1]?.end?.state).not.toBe('done');
    await second;
    expect(requests.map(({ folderIds }) => folderIds)).toEqual([['/a'], ['/b']]);
    expect(kept[1]?.end?.state).toBe('done');
    await runs.close();
  });

  it('is changed only between scans, so that what is being stored keeps what it needs', async () => {
    const ended: string[] = [];
    const { runs } = openWith({
      scan: async (_run, _request, { signal }) => {
        await tick(10);
        if (signal.aborted) await tick(20);
        ended.push('scan');
        return { photos: noPhotos, verdicts: none, statementCache: noCache };
      },
      onEnd: () => ended.push('run'),
    });
    runs.start(all);
    // The scan is under way.
    await tick();
    await Promise.all([
      runs.restart(async () => void ended.push('first change')),
      runs.restart(async () => void ended.push('second change')),
    ]);
    while (runs.active()) await tick(5);
    expect(ended).toEqual(['scan', 'first change', 'second change', 'scan', 'run']);
    await runs.close();
  });

  it('can be restarted while it is paused, and stays paused', async () => {
    const { runs, requests, end } = bench(30);
    const { id } = runs.start(all);
    await tick(10);
    runs.pause(id);
    // The scan must be waiting for the pause to end.
    await tick(20);
    await runs.restart(async () => undefined);
    await tick(20);
    expect(requests).toHaveLength(2);
    expect(runs.current()).toMatchObject({ id, status: 'paused' });
    runs.resume(id);
    expect(await end()).toMatchObject({ status: 'done', photos: { found: 30, done: 30 } });
    await runs.close();
  });

  it('is followed by one more for all that was asked meanwhile', async () => {
    const { runs, requests, end } = bench(10);
    runs.soon({ ...all, folderIds: ['/a'] });
    runs.soon({ ...all, folderIds: ['/b'] });
    runs.soon({ ...all, folderIds: ['/c'], retryQuarantined: true });
    await end();
    expect(requests).toEqual([
      { ...all, folderIds: ['/a'] },
      { ...all, folderIds: ['/b', '/c'], retryQuarantined: true },
    ]);
    await runs.close();
  });

  it('is a new one when it is asked for while a cancelled one drains', async () => {
    let letGo: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let scans = 0;
    const { runs } = openWith({
      scan: async (_run, _request, { signal }) => {
        scans += 1;
        // The first one stores what it finished after it was cancelled.
        while (scans === 1 && !signal.aborted) await tick(1);
        if (scans === 1) await stored;
        return { photos: { ...noPhotos, found: 1, judged: 1 }, verdicts: none, statementCache: noCache };
      },
    });
    const first = await runs.soon(all);
    expect((await runs.soon(all)).id).toBe(first.id);
    runs.cancel(first.id);
    const asked = runs.soon(all);
    letGo();
    const second = await asked;
    expect(second.id).not.toBe(first.id);
    while (runs.active()) await tick(1);
    expect(runs.current()).toMatchObject({ id: second.id, status: 'done' });
    expect(scans).toBe(2);
    await runs.close();
  });

  it('fails with the error as data', async () => {
    const { runs, kept } = openWith({ scan: async () => failWith('no_statement', {}) });
    await expect(runs.through(all)).rejects.toMatchObject({ error: { code: 'no_statement' } });
    const run = runs.current();
    expect(run).toMatchObject({ status: 'failed', error: { code: 'no_statement' } });
    expect(kept).toEqual([{ id: run?.id, end: { state: 'failed', cause: expect.any(Error) } }]);
    await runs.close();
  });

  it('ends when the app does', async () => {
    const { runs, kept } = bench(1000);
    runs.start(all);
    await tick(5);
    const next = runs.through(all);
    await runs.close();
    await next;
    expect(runs.current()?.status).toBe('cancelled');
    expect(kept.map(({ end }) => end?.state)).toEqual(['interrupted']);
  });
});

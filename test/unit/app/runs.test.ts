import { describe, expect, it } from 'vitest';
import { failWith } from '../../../main/app/errors.ts';
import { openRuns, type ScanControl, type Scanned, type ScanRequest } from '../../../main/app/runs.ts';
import type { Run } from '../../../main/contract/views.ts';

const all: ScanRequest = { folderIds: [], recheck: 'none', retryQuarantined: false };
const none = { yes: 0, no: 0, maybe: 0 };
const tick = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** Scans `found` photos one by one; what an earlier scan has judged is cached. */
const bench = (found: number, perPhotoMs = 2) => {
  const judgedAlready = new Set<number>();
  const requests: ScanRequest[] = [];
  const told: Run[] = [];
  const scan = async (request: ScanRequest, { signal, whileRunning, onProgress }: ScanControl): Promise<Scanned> => {
    requests.push(request);
    const photos = { found, judged: 0, cached: judgedAlready.size, quarantined: 0, ignored: 0 };
    for (let i = 0; i < found && !signal.aborted; i += 1) {
      if (judgedAlready.has(i)) continue;
      await whileRunning();
      if (signal.aborted) break;
      await tick(perPhotoMs);
      judgedAlready.add(i);
      photos.judged += 1;
      onProgress({ ...photos, discovering: false, photosPerSecond: 10, etaMs: 100 });
    }
    return { photos, verdicts: { ...none, yes: judgedAlready.size } };
  };
  const runs = openRuns({
    scan,
    statements: () => 3,
    verdicts: async () => none,
    tell: (run) => told.push(run),
    changed: () => undefined,
    ended: () => undefined,
  });
  const end = async () => {
    while (runs.active()) await tick(1);
    return runs.current()!;
  };
  return { runs, requests, told, end };
};

describe('a run', () => {
  it('tells its progress and its end', async () => {
    const { runs, told, end } = bench(10);
    const { id } = runs.start(all);
    const run = await end();
    expect(run).toMatchObject({ id, status: 'done', discovering: false, etaMs: null, verdicts: { yes: 10 } });
    expect(run.photos).toMatchObject({ found: 10, done: 10, judged: 10, cached: 0 });
    expect(run.pairsPerSecond).toBe(30);
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
    const { runs, requests, end } = bench(30);
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
    await runs.close();
  });

  it('is changed only between scans, so that what is being stored keeps what it needs', async () => {
    const ended: string[] = [];
    const runs = openRuns({
      scan: async (_, { signal }) => {
        await tick(10);
        if (signal.aborted) await tick(20);
        ended.push('scan');
        return { photos: { found: 0, judged: 0, cached: 0, quarantined: 0, ignored: 0 }, verdicts: none };
      },
      statements: () => 0,
      verdicts: async () => none,
      tell: () => undefined,
      changed: () => undefined,
      ended: () => ended.push('run'),
    });
    runs.start(all);
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
    const runs = openRuns({
      scan: async (_, { signal }) => {
        scans += 1;
        // The first one stores what it finished after it was cancelled.
        while (scans === 1 && !signal.aborted) await tick(1);
        if (scans === 1) await stored;
        return { photos: { found: 1, judged: 1, cached: 0, quarantined: 0, ignored: 0 }, verdicts: none };
      },
      statements: () => 1,
      verdicts: async () => none,
      tell: () => undefined,
      changed: () => undefined,
      ended: () => undefined,
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
    const runs = openRuns({
      scan: async () => failWith('no_statement', {}),
      statements: () => 0,
      verdicts: async () => none,
      tell: () => undefined,
      changed: () => undefined,
      ended: () => undefined,
    });
    runs.start(all);
    while (runs.active()) await tick(1);
    expect(runs.current()).toMatchObject({ status: 'failed', error: { code: 'no_statement' } });
    await runs.close();
  });

  it('ends when the app does', async () => {
    const { runs } = bench(1000);
    runs.start(all);
    await tick(5);
    await runs.close();
    expect(runs.current()?.status).toBe('cancelled');
  });
});

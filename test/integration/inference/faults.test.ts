import { afterEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import type { EncodeResult } from '../../../main/inference/core/engine-types.ts';
import { imagePid, inferencePid, pause, type Rig, signalTo, startRig, writePhotos } from './rig.ts';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const oks = (results: readonly EncodeResult[]): boolean[] => results.map(({ ok }) => ok);

/** Judges all the photos at once while something goes wrong. */
const judgeAll = (running: Rig, photos: readonly string[]): Promise<EncodeResult[]> =>
  Promise.all(photos.map((path) => running.engine.encode(path)));

describe('engine when a host dies', () => {
  it.each([
    ['inference', inferencePid],
    ['image', imagePid],
  ] as const)('judges every photo though the %s host is killed again and again', async (_, pidOf) => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 4 },
      faults: [{ host: 'inference', what: 'slow', match: 'x', ms: 40 }],
    });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 60);
    const judging = photos.map((path) => engine.encode(path, { client: 'x' }));
    const all = Promise.all(judging);
    let kills = 0;
    let done = false;
    all.finally(() => {
      done = true;
    });
    await Promise.race(judging);
    while (!done && kills < 4) {
      if (signalTo(pidOf(engine), 'SIGKILL')) kills += 1;
      await pause(250);
    }
    const results = await all;
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(kills).toBeGreaterThan(0);
    expect(engine.stats().hosts.reduce((sum, { restarts }) => sum + restarts, 0)).toBeGreaterThan(0);
    expect(engine.stats().inEngine).toBe(0);
  });

  it('kills and replaces an inference host that stands still', async () => {
    rig = await startRig({ silenceMs: 3000 });
    const photos = await writePhotos(rig.dir, 12);
    signalTo(inferencePid(rig.engine), 'SIGSTOP');
    expect(oks(await judgeAll(rig, photos))).toEqual(photos.map(() => true));
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: 'host_down', host: 'inference', how: 'hung' }));
  });

  it('gives up only the photo that kills the host', async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 4 },
      faults: [{ host: 'inference', what: 'crash', match: 'poison' }],
    });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 20);
    const results = await Promise.all(
      photos.map((path, i) => engine.encode(path, { client: i === 7 ? 'poison' : 'good' })),
    );
    expect(oks(results)).toEqual(photos.map((_, i) => i !== 7));
    expect(results[7]).toMatchObject({
      kind: 'quarantine',
      reason: { code: 'kills_host', params: { host: 'inference', times: 2 } },
      retryable: false,
    });
  });

  it('finds out the photo that hangs the host, once it is tried again', async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 1 },
      ladder: { ...defaultSettings.ladder, bulkMs: 1000 },
      faults: [{ host: 'inference', what: 'hang', match: 'poison' }],
    });
    const { engine } = rig;
    const [poison, good] = await writePhotos(rig.dir, 2);
    const first = await engine.encode(poison!, { client: 'poison' });
    expect(first).toMatchObject({ code: 'timed_out', putOff: { limitMs: 1000 } });
    if (first.ok || first.kind !== 'not_done') throw new Error('not put off');
    expect(await first.putOff?.late).toBeNull();
    expect(await engine.encode(poison!, { client: 'poison', priority: 'retry' })).toMatchObject({
      kind: 'quarantine',
      reason: { code: 'kills_host', params: { host: 'inference', times: 2 } },
    });
    expect(await engine.encode(good!)).toMatchObject({ ok: true });
  });

  it('settles every call when it is stopped in the middle', async () => {
    rig = await startRig({ faults: [{ host: 'inference', what: 'slow', match: 'x', ms: 50 }] });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 40);
    const all = Promise.all(photos.map((path) => engine.encode(path, { client: 'x' })));
    await pause(100);
    await engine.stop();
    const results = await all;
    const stopped = results.filter((result) => !result.ok);
    expect(stopped.length).toBeGreaterThan(0);
    for (const result of stopped) expect(result).toMatchObject({ kind: 'not_done', code: 'stopped' });
    expect(await engine.encode(photos[0]!)).toMatchObject({ code: 'stopped' });
  });
});

describe('engine whose hosts hold more memory than they may', () => {
  it.skipIf(process.platform !== 'linux')('replaces them between two batches, and loses no photo', async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 2 },
      // Any process holds more than that.
      hostMemoryMb: 1,
      hostMemoryTimes: { lookEveryMs: 200, youngMs: 1500 },
      faults: [{ host: 'inference', what: 'slow', match: 'x', ms: 60 }],
    });
    const { engine, events } = rig;
    const photos = await writePhotos(rig.dir, 20);
    const over = (host: 'image' | 'inference') =>
      events.filter((event) => event.kind === 'over_memory' && event.host === host).length;
    for (let round = 0; over('image') < 2 || over('inference') < 2; round += 1) {
      const results = await Promise.all(photos.map((path) => engine.encode(path, { client: 'x' })));
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
      expect(round).toBeLessThan(100);
    }
    const ends = events.flatMap((event) => (event.kind === 'host_down' ? [event.how] : []));
    expect(new Set(ends)).toEqual(new Set(['recycled']));
  });
});

describe('engine when a batch fails', () => {
  it('fails only the photo whose output is not finite', async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 4 },
      faults: [{ host: 'inference', what: 'not_finite', match: 'bad' }],
    });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 10);
    const results = await Promise.all(
      photos.map((path, i) => engine.encode(path, { client: i === 2 ? 'bad' : 'good' })),
    );
    expect(oks(results)).toEqual(photos.map((_, i) => i !== 2));
    expect(results[2]).toMatchObject({ kind: 'quarantine', reason: { code: 'inference_failed' }, retryable: true });
    expect(engine.stats().hosts[0]?.restarts).toBe(0);
  });

  it('halves an automatic batch after running out of memory and starts the host again', async () => {
    rig = await startRig({ batch: { mode: 'auto' }, faults: [{ host: 'inference', what: 'out_of_memory', nth: 6 }] });
    const photos = await writePhotos(rig.dir, 5);
    const results = [...(await judgeAll(rig, photos)), ...(await judgeAll(rig, photos.slice(1)))];
    expect(oks(results)).toEqual(results.map(() => true));
    const event = rig.events.find(({ kind }) => kind === 'out_of_memory');
    expect(event).toMatchObject({ ceiling: 1 });
    expect(rig.engine.stats().batch).toBe(1);
  });

  it('tells an interactive caller in time, and keeps the late result', async () => {
    rig = await startRig({ faults: [{ host: 'inference', what: 'slow', match: 'slow', ms: 6000 }] });
    const { engine, events, dir } = rig;
    const [photo] = await writePhotos(dir, 1);
    const late = () => events.filter((event) => event.kind === 'late' && event.path === photo).length;
    // The hosts are warm: what is late is the batch.
    expect(await engine.encode(photo!)).toMatchObject({ ok: true });
    const result = await engine.encode(photo!, {
      priority: 'interactive',
      client: 'slow',
      deadlineAt: Date.now() + 1500,
    });
    expect(result).toMatchObject({ kind: 'not_done', code: 'timed_out' });
    expect(late()).toBe(0);
    await expect.poll(late, { timeout: 60_000 }).toBe(1);
  });

  it('tells an interactive caller in time where nothing gets on at all', async () => {
    const ladder = { ...defaultSettings.ladder, interactiveCpuMs: 300 };
    rig = await startRig({ ladder: { ...ladder, pinned: 1 } });
    const { engine } = rig;
    const [photo] = await writePhotos(rig.dir, 1);
    const ask = () => engine.encode(photo!, { priority: 'interactive' });
    const missed = { ok: false, kind: 'not_done', code: 'timed_out', limitMs: 300 };
    expect(await ask()).toMatchObject(missed);
    engine.setLadder(ladder);
    signalTo(imagePid(engine), 'SIGSTOP');
    expect(await ask()).toMatchObject(missed);
    signalTo(imagePid(engine), 'SIGCONT');
    expect(await engine.encode(photo!)).toMatchObject({ ok: true });
    await expect.poll(() => engine.stats().inEngine, { timeout: 20_000 }).toBe(0);
  });

  it('lets an interactive photo overtake those that wait', async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 2 },
      faults: [{ host: 'inference', what: 'slow', match: 'x', ms: 150 }],
    });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 30);
    const order: string[] = [];
    const bulk = photos.slice(1).map((path) => engine.encode(path, { client: 'x' }).then(() => order.push('bulk')));
    await Promise.race(bulk);
    await engine.encode(photos[0]!, { priority: 'interactive', client: 'y' }).then(() => order.push('interactive'));
    await Promise.all(bulk);
    expect(order.at(-1)).toBe('bulk');
  });
});

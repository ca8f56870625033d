/** An engine of two lines: two real inference hosts on the CPU, one of which goes. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SpawnHost } from '../../../main/hosts/host.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type { EncodeResult } from '../../../main/inference/core/engine-types.ts';
import { type Rig, scratch, signalTo, startRig, writePhotos } from './rig.ts';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const twoLines = { lines: [{ device: 'cpu' }, { device: 'cpu' }], threads: 1 } as const;
const slow = { host: 'inference', what: 'slow', match: 'x', ms: 300 } as const;

const inferenceHosts = ({ engine }: Rig) => engine.stats().hosts.filter(({ kind }) => kind === 'inference');
const failures = (results: readonly EncodeResult[]) => results.filter(({ ok }) => !ok);

describe('an engine of two lines', () => {
  it.each([0, 1])('has the photos of line %i judged by the other when its host is killed for good', async (killed) => {
    let starts = 0;
    const name = killed === 0 ? 'inference host' : 'inference host 2';
    // A host that is killed cannot be started again.
    const spawn: SpawnHost = (entry, options) => {
      if (options.name === name) starts += 1;
      const missing = options.name === name && starts > 1;
      return spawnNode()(missing ? join(scratch(), 'nothing.ts') : entry, options);
    };
    rig = await startRig({ ...twoLines, spawn, batch: { mode: 'fixed', size: 2 }, faults: [slow] });
    const { engine, events } = rig;
    expect(inferenceHosts(rig).length).toBe(2);
    const photos = await writePhotos(rig.dir, 32);
    const judging = photos.map((path) => engine.encode(path, { client: 'x' }));
    // Both hosts are in the middle of a batch.
    await expect.poll(() => engine.stats().running, { timeout: 60_000 }).toBe(4);
    const [doomed, other] = killed === 0 ? inferenceHosts(rig) : inferenceHosts(rig).toReversed();
    expect(signalTo(doomed?.pid, 'SIGKILL')).toBe(true);
    expect(failures(await Promise.all(judging))).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'inference_up').length).toBe(2);
    expect(inferenceHosts(rig).map(({ pid }) => pid)).toContain(other?.pid);
    expect(engine.stats().inEngine).toBe(0);
    // It goes on with the line that is left, also for whoever comes now.
    await expect.poll(() => starts, { timeout: 60_000 }).toBeGreaterThan(2);
    expect(failures(await Promise.all(photos.slice(0, 8).map((path) => engine.encode(path))))).toEqual([]);
    expect(await engine.encode(photos[0]!, { priority: 'interactive', deadlineAt: null })).toMatchObject({ ok: true });
  });

  it('shares the photos among them, and loses none though hosts crash under them', async () => {
    // Each strikes once: a host that always fell at its fourth could fall twice under one photo that came last.
    const crash = (nth: number) =>
      ({ host: 'inference', what: 'crash', nth, once: join(scratch(), `crash-${nth}`) }) as const;
    rig = await startRig({ ...twoLines, batch: { mode: 'fixed', size: 1 }, faults: [crash(4), crash(6)] });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 24);
    expect(failures(await Promise.all(photos.map((path) => engine.encode(path))))).toEqual([]);
    const restarts = inferenceHosts(rig).map((host) => host.restarts);
    expect(restarts.reduce((sum, each) => sum + each, 0)).toBe(2);
  });

  it('gives up the photo that kills its host, on whichever line, and no other', async () => {
    const crash = { host: 'inference', what: 'crash', match: 'poison' } as const;
    rig = await startRig({ ...twoLines, batch: { mode: 'fixed', size: 2 }, faults: [crash] });
    const { engine } = rig;
    const photos = await writePhotos(rig.dir, 20);
    const results = await Promise.all(
      photos.map((path, i) => engine.encode(path, { client: i === 7 ? 'poison' : 'good' })),
    );
    expect(results.map(({ ok }) => ok)).toEqual(photos.map((_, i) => i !== 7));
    expect(results[7]).toMatchObject({
      kind: 'quarantine',
      reason: { code: 'kills_host', params: { host: 'inference', times: 2 } },
    });
  });

  it('starts with the line that can be had, and with none where no line can', async () => {
    const spawn: SpawnHost = (entry, options) =>
      spawnNode()(options.name === 'inference host' ? join(scratch(), 'nothing.ts') : entry, options);
    rig = await startRig({ ...twoLines, spawn });
    const [photo] = await writePhotos(rig.dir, 1);
    expect(rig.engine.info().device.used).toBe('cpu');
    expect(await rig.engine.encode(photo!)).toMatchObject({ ok: true });
    const missing = join(scratch(), 'nothing.ts');
    await expect(startRig({ ...twoLines, entry: missing })).rejects.toMatchObject({ code: 'host_failed' });
  });

  it('steps down the ladder with the line that is in trouble, and not with the other', async () => {
    const mark = join(scratch(), 'struck');
    const trouble = { host: 'inference', what: 'out_of_memory', nth: 4, once: mark } as const;
    rig = await startRig({ ...twoLines, batch: { mode: 'auto' }, faults: [trouble] });
    const { engine, events } = rig;
    const photos = await writePhotos(rig.dir, 24);
    expect(failures(await Promise.all(photos.map((path) => engine.encode(path))))).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'out_of_memory').length).toBe(1);
    const [first, second] = inferenceHosts(rig).map(({ restarts }) => restarts);
    expect([first, second].toSorted()).toEqual([0, 1]);
    expect(engine.stats().degradation.map(({ code }) => code)).toContain('batch_reduced');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../main/contract/operation.ts';
import type { EncodeResult } from '../../../main/inference/core/engine-types.ts';
import { writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';
import { type Rig, scratch, startRig, writePhotos } from './rig.ts';

const evidenceOf = (result: EncodeResult): Uint8Array => {
  if (!result.ok || !result.evidence) throw new Error(`no evidence: ${JSON.stringify(result)}`);
  return result.evidence;
};
const floatsOf = (evidence: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(evidence.subarray(1)).buffer);

const judge = (...texts: readonly string[]): Operation => ({ kind: 'judge', pairs: texts.map((text) => ({ text })) });

/** Long enough that batches fill, however slowly photos are read; there are as many photos as fill the last one. */
const fillMs = 60_000;
const count = 28;

describe('engine on a separable pack', () => {
  let rig: Rig;
  let photos: string[];
  beforeAll(async () => {
    rig = await startRig({
      batch: { mode: 'fixed', size: 4 },
      maxDelayMs: fillMs,
      // Left over from another device: there is one CPU.
      deviceIndex: 3,
      prescreen: { blur: 50, flat: 10, small: 64 },
    });
    photos = await writePhotos(rig.dir, count);
  });
  afterAll(() => rig.close());

  it('proves its device: nodes placed, a probe that agrees', () => {
    const { device, precision, threads, adapter } = rig.engine.info();
    expect(device).toMatchObject({ requested: 'cpu', used: 'cpu', index: 0, fallbackReason: null });
    expect(device.proof.nodesOnDevice).toBe(device.proof.nodesInAll);
    expect(device.proof.nodesInAll).toBeGreaterThan(3);
    expect(device.proof.agreesWithCpu).toBe(true);
    expect(precision).toBe('fp32');
    expect(threads).toBeGreaterThan(0);
    expect(adapter).toMatchObject({ kind: 'separable', version: '1' });
  });

  it('judges photos in batches and gives each its own evidence, whatever batch it was in', async () => {
    const together = await Promise.all(photos.map((path) => rig.engine.encode(path)));
    rig.engine.setBatch({ mode: 'fixed', size: 4 }, 8);
    const alone: EncodeResult[] = [];
    for (const path of photos.slice(0, 5)) alone.push(await rig.engine.encode(path));
    for (const [i, result] of alone.entries()) {
      const [a, b] = [floatsOf(evidenceOf(result)), floatsOf(evidenceOf(together[i]!))];
      for (const [k, value] of a.entries()) expect(b[k]).toBeCloseTo(value, 4);
    }
    expect(new Set(together.map((result) => floatsOf(evidenceOf(result)).join())).size).toBe(photos.length);
    const stats = rig.engine.stats();
    expect(stats.samples).toBe(count + 5);
    expect(stats.largestBatch).toBe(4);
    expect(stats.latencies.length).toBe(count + 5);
    expect(stats.inEngine).toBe(0);
  });

  it('judges in two steps: identify, then encode or release', async () => {
    const opened = await Promise.all(photos.slice(0, 6).map((path) => rig.engine.identify(path)));
    const results = await Promise.all(
      opened.map((photo, i) => {
        if (!photo.ok) throw new Error(photo.kind);
        expect(photo.identity.format).toBe('jpeg');
        if (i % 2 === 0) return photo.encode();
        photo.release();
        return undefined;
      }),
    );
    expect(results.filter((result) => result?.ok).length).toBe(3);
    expect(rig.engine.stats().inEngine).toBe(0);
  });

  it('does not send a flat photo to the model, and quarantines what is no image', async () => {
    const flat = join(rig.dir, 'flat.png');
    await sharp({ create: { width: 90, height: 90, channels: 3, background: '#808080' } })
      .png()
      .toFile(flat);
    expect(await rig.engine.encode(flat)).toMatchObject({ ok: true, flat: true, evidence: null });
    const text = join(rig.dir, 'text.jpg');
    writeFileSync(text, 'no image at all');
    expect(await rig.engine.encode(text)).toMatchObject({
      ok: false,
      kind: 'quarantine',
      reason: { code: 'not_an_image' },
    });
    expect(await rig.engine.encode(join(rig.dir, 'gone.jpg'))).toMatchObject({
      ok: false,
      reason: { code: 'vanished' },
    });
  });

  it('sends even a flat photo to the model where it is asked not to measure it', async () => {
    const flat = join(rig.dir, 'grey.png');
    await sharp({ create: { width: 90, height: 90, channels: 3, background: '#777777' } })
      .png()
      .toFile(flat);
    rig.engine.setBatch({ mode: 'fixed', size: 4 }, 8);
    const [measured, sent] = await Promise.all([rig.engine.encode(flat), rig.engine.encode(flat, { prescreen: null })]);
    expect(measured).toMatchObject({ ok: true, flat: true, evidence: null });
    expect(sent).toMatchObject({ ok: true, flat: false, info: { prescreen: null } });
    expect(evidenceOf(sent).length).toBeGreaterThan(0);
  });

  it('changes the batch size while it runs', async () => {
    rig.engine.setBatch({ mode: 'fixed', size: 7 }, fillMs);
    const results = await Promise.all(photos.map((path) => rig.engine.encode(path)));
    expect(Math.max(...results.map((result) => (result.ok ? result.timing.batch : 0)))).toBe(7);
    rig.engine.setBatch({ mode: 'fixed', size: 7 }, 8);
  });

  it('answers cancel at once', async () => {
    const abort = new AbortController();
    const results = Promise.all(photos.map((path) => rig.engine.encode(path, { signal: abort.signal })));
    abort.abort();
    for (const result of await results) expect(result).toMatchObject({ ok: false, code: 'cancelled' });
    expect((await rig.engine.encode(photos[0]!)).ok).toBe(true);
  });
});

describe('engine on a joint pack', () => {
  it('judges every statement of a photo; the batch holds pairs', async () => {
    const rig = await startRig({ kind: 'joint', batch: { mode: 'fixed', size: 4 } });
    try {
      const photos = await writePhotos(rig.dir, 10);
      const operation = judge('a dog', 'two cats sleep', 'no person');
      const results = await Promise.all(photos.map((path) => rig.engine.encode(path, { operation })));
      for (const result of results) {
        if (!result.ok) throw new Error(result.kind);
        expect(result.evidence).toBeNull();
        expect(result.judgements?.length).toBe(3);
        const [first, second] = result.judgements ?? [];
        expect(first?.p).not.toEqual(second?.p);
        expect((first?.p.yes ?? 0) + (first?.p.no ?? 0) + (first?.p.maybe ?? 0)).toBeCloseTo(1, 6);
      }
      const single = await rig.engine.encode(photos[3]!, { operation: judge('no person') });
      const batched = results[3]!;
      if (!single.ok || !batched.ok) throw new Error('not judged');
      expect(single.judgements?.[0]?.p.yes).toBeCloseTo(batched.judgements?.[2]?.p.yes ?? -1, 5);
    } finally {
      await rig.close();
    }
  });
});

describe('engine on a joint pack with a large set', () => {
  it('asks a photo every statement, however many and long', async () => {
    const rig = await startRig({ kind: 'joint', batch: { mode: 'fixed', size: 16 } });
    try {
      const [photo] = await writePhotos(rig.dir, 1);
      // Together more than a megabyte, twice as long when written as JSON.
      const texts = Array.from({ length: 300 }, (_, i) => `${i} dogs ${'"'.repeat(2000)}`);
      const result = await rig.engine.encode(photo!, { operation: judge(...texts) });
      expect(result).toMatchObject({ ok: true });
      expect(result.ok && result.judgements?.length).toBe(300);
    } finally {
      await rig.close();
    }
  });
});

describe('engine that cannot have what was asked for', () => {
  it('goes on with the CPU and says why', async () => {
    const device = process.platform === 'win32' ? 'coreml' : 'dml';
    const rig = await startRig({ device });
    expect(rig.engine.info().device).toMatchObject({ requested: device, used: 'cpu' });
    expect(rig.engine.info().device.fallbackReason).toContain(device);
    await rig.close();
  });

  it.each([
    ['a pack without its graph', 'onnx/model.onnx', ''],
    ['a manifest that is no manifest', 'vouch.json', '{}'],
  ])('refuses %s', async (_, file, content) => {
    const dir = scratch();
    const pack = writeSeparablePack(dir);
    writeFileSync(join(dir, file), content);
    await expect(startRig({ pack })).rejects.toMatchObject({ code: 'pack_broken' });
  });

  it('refuses when its host cannot even start', async () => {
    const start = startRig({ entry: join(scratch(), 'nothing.ts') });
    await expect(start).rejects.toMatchObject({ code: 'host_failed' });
  });
});

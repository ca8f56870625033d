/** What the decoder does with the pictures of rows 1 to 6 and 8 is in ../images/decode.test.ts; here is the rest. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { openImagePool } from '../../../main/images/core/pool.ts';
import { imageFiles, orientedJpeg } from '../../fixtures/images/make.ts';
import { openPixelSink } from '../../fixtures/images/pixel-sink.ts';
import { config } from '../../fixtures/images/seen.ts';
import { vouch } from '../cli/vouch.ts';

const dir = mkdtempSync(join(tmpdir(), 'vouch-field-'));
const files = await imageFiles();
const entry = new URL('../../../main/images/host/image-host.ts', import.meta.url).pathname;
const hosts = { spawn: spawnNode(), entry, size: 1, tell: () => undefined };
const pool = openImagePool({ ...hosts, limits: config.limits });
pool.claim({ priority: 'normal', hostMemoryMb: 0 });
const sink = await openPixelSink(dir);
const target = { views: config.views, address: sink.address, prescreen: config.prescreen };
const delivery = {
  priority: 'bulk',
  client: 'test',
  deadlineAt: null,
  operation: { kind: 'encode', parts: [] },
} as const;
afterAll(async () => {
  await pool.stop();
  sink.close();
  rmSync(dir, { recursive: true, force: true });
});

const judgeable = async (path: string) => {
  const job = pool.newJob();
  const identified = await pool.identify(job, path);
  return identified.ok ? pool.prepare(job, target, delivery) : identified;
};
const scan = async (folder: string, home: string) => {
  const done = await vouch('scan', folder, '-s', 'a dog', '--home', join(dir, home), '--json');
  expect(done.code, done.stderr).toBe(0);
  return JSON.parse(done.stdout);
};
const folderOf = (name: string, contents: Readonly<Record<string, Uint8Array>>): string => {
  const folder = mkdtempSync(join(dir, name));
  for (const [file, bytes] of Object.entries(contents)) writeFileSync(join(folder, file), bytes);
  return folder;
};

describe('photos of the field', () => {
  it('row 1: the eight orientations get one verdict, confidence within .02', async () => {
    const folder = folderOf('turned', {});
    for (let o = 1; o <= 8; o++) writeFileSync(join(folder, `${o}.jpg`), await orientedJpeg(o));
    await scan(folder, 'turned-home');
    const listed = await vouch('verdicts', '--home', join(dir, 'turned-home'), '--json');
    const { items, total } = JSON.parse(listed.stdout) as {
      total: number;
      items: readonly { label: string; confidence: number }[];
    };
    expect(total).toBe(8);
    expect(new Set(items.map(({ label }) => label)).size).toBe(1);
    const confidences = items.map(({ confidence }) => confidence);
    expect(Math.max(...confidences) - Math.min(...confidences)).toBeLessThanOrEqual(0.02);
  });

  it('row 5: a truncated photo is judged, marked and wants review', async () => {
    const photo = readFileSync(new URL('../../../resources/samples/cat.jpg', import.meta.url));
    const folder = folderOf('cut', { 'cut.jpg': photo.subarray(0, Math.floor(photo.length * 0.7)) });
    expect((await scan(folder, 'cut-home')).photos).toMatchObject({ found: 1, judged: 1, quarantined: 0 });
    const listed = JSON.parse(
      (await vouch('verdicts', '--home', join(dir, 'cut-home'), '--wants-review', '--json')).stdout,
    );
    expect(listed).toMatchObject({ total: 1, items: [{ damaged: true }] });
  });

  it('row 6: a photo over the limits is refused by its header, with the limit', async () => {
    writeFileSync(join(dir, 'bomb.png'), files['bomb.png']!);
    expect(await judgeable(join(dir, 'bomb.png'))).toMatchObject({
      ok: false,
      reason: { code: 'too_many_pixels', params: { width: 30_000, height: 30_000, limit: 1e8 } },
    });
    const small = openImagePool({ ...hosts, limits: { maxBytes: 1000, maxPixels: 1e8 } });
    small.claim({ priority: 'normal', hostMemoryMb: 0 });
    writeFileSync(join(dir, 'plain.bmp'), files['plain.bmp']!);
    expect(await small.identify(1, join(dir, 'plain.bmp'))).toMatchObject({
      ok: false,
      reason: { code: 'too_many_bytes', params: { bytes: files['plain.bmp']!.length, limit: 1000 } },
    });
    await small.stop();
  });

  it('row 7: an empty file is quarantined as that, and judged once it holds a photo', async () => {
    const folder = folderOf('empty', { 'a.jpg': new Uint8Array(0) });
    expect((await scan(folder, 'empty-home')).quarantined).toMatchObject([{ reasonCode: 'empty_file' }]);
    writeFileSync(join(folder, 'a.jpg'), files['plain.jpg']!);
    expect((await scan(folder, 'empty-home')).photos).toMatchObject({ judged: 1, quarantined: 0 });
  });

  it('row 9: no file stays open once it was decoded, so it can be deleted', async () => {
    const path = join(dir, 'open.jpg');
    writeFileSync(path, files['plain.jpg']!);
    expect(await judgeable(path)).toMatchObject({ ok: true });
    const { pid } = pool.hosts()[0]!;
    if (process.platform === 'linux') {
      const open = readdirSync(`/proc/${pid}/fd`).length;
      for (let i = 0; i < 5; i++) {
        copyFileSync(path, join(dir, `open-${i}.jpg`));
        expect(await judgeable(join(dir, `open-${i}.jpg`))).toMatchObject({ ok: true });
      }
      expect(readdirSync(`/proc/${pid}/fd`).length).toBeLessThanOrEqual(open);
    }
    unlinkSync(path);
    expect(await judgeable(path)).toMatchObject({ ok: false, reason: { code: 'vanished' } });
  });

  it('row 10: one bad photo costs the others nothing, and is not tried again unless asked', async () => {
    const folder = folderOf('bad', {
      'bad.png': files['plain.png']!.subarray(0, 60),
      'good.png': files['plain.png']!,
      'text.jpg': files['text.jpg']!,
    });
    const first = await scan(folder, 'bad-home');
    expect(first.photos).toMatchObject({ found: 3, judged: 1, quarantined: 2 });
    for (const { reason } of first.quarantined) expect(reason).toMatch(/^[A-Z].{10,}\.$/);
    const second = await scan(folder, 'bad-home');
    expect(second.photos).toMatchObject({ found: 3, judged: 0, cached: 1, quarantined: 2 });
    const byPath = (a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path);
    expect(second.quarantined.toSorted(byPath)).toEqual(first.quarantined.toSorted(byPath));
  });
});

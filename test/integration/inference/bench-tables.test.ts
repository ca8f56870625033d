/** The tables of real engines, and where they are kept: one for each machine, pack, device and precision. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { locateHome } from '../../../main/home.ts';
import { benchOf, keepBench, measureTables, readBench } from '../../../main/measure/bench-tables.ts';
import { kneeOf } from '../../../main/measure/knee.ts';
import { readPack } from '../../../main/packs/packs.ts';
import { machineId } from '../../../main/packs/precision-choice.ts';
import { type Rig, scratch, startRig, writePhotos } from './rig.ts';

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});
const open = async (options: Parameters<typeof startRig>[0]) => {
  const rig = await startRig(options);
  rigs.push(rig);
  return { ...rig, pack: readPack(join(rig.dir, 'pack')) };
};

const newHome = () => {
  const home = locateHome(scratch());
  mkdirSync(home.bench, { recursive: true });
  return home;
};

it('measures every size and number of clients, and keeps what it found beside that of others', async () => {
  const home = newHome();
  const fp32 = await open({ kind: 'overflowing' });
  const photos = await writePhotos(fp32.dir, 6);
  const done: number[] = [];
  const tables = await measureTables(fp32.engine, photos, {
    sizes: [1, 3],
    clients: [2],
    batch: { mode: 'auto' },
    maxDelayMs: 8,
    // A limit that nothing can hold.
    ladder: { ...defaultSettings.ladder, slaCpuMs: 0 },
    signal: new AbortController().signal,
    onRow: (row) => done.push(row),
  });
  expect(done).toEqual([1, 2, 3]);
  expect(tables.batches.map(({ size }) => size)).toEqual([1, 3]);
  expect(tables.concurrency.map(({ clients }) => clients)).toEqual([2]);
  for (const { p50, p95, p99, perSecond, rssMb, failures } of [...tables.batches, ...tables.concurrency]) {
    expect([p50, p95, p99]).toEqual([p50, p95, p99].toSorted((a, b) => a - b));
    expect(perSecond).toBeGreaterThan(0);
    expect(rssMb).toBeGreaterThan(1);
    expect(failures).toBe(0);
  }
  expect(tables.knee).toBeNull();
  expect([1, 3]).toContain(kneeOf(tables.batches, Number.POSITIVE_INFINITY));
  expect(tables.provider).toBe('cpu');

  expect(benchOf(home, fp32.pack, fp32.engine)).toBeNull();
  const kept = keepBench(home, fp32.pack, fp32.engine, tables);
  expect(kept).toMatchObject({ machine: machineId(), packSha256: fp32.pack.sha256, device: 'cpu', precision: 'fp32' });
  expect(benchOf(home, fp32.pack, fp32.engine)).toEqual(kept);

  const fp16 = await open({ kind: 'overflowing', precision: 'fp16' });
  const joint = await open({ kind: 'joint' });
  for (const { pack, engine } of [fp16, joint]) {
    expect(benchOf(home, pack, engine)).toBeNull();
    keepBench(home, pack, engine, { ...tables, knee: 3 });
  }
  expect(readBench(home)).toHaveLength(3);
  expect(benchOf(home, fp16.pack, fp16.engine)).toMatchObject({ precision: 'fp16', tables: { knee: 3 } });
  expect(benchOf(home, fp32.pack, fp32.engine)).toEqual(kept);

  // A later measurement of the same takes the earlier one's place, and that of another machine is none of ours.
  keepBench(home, fp32.pack, fp32.engine, { ...tables, knee: null });
  expect(readBench(home)).toHaveLength(3);
  expect(benchOf(home, fp32.pack, fp32.engine)?.tables.knee).toBeNull();
  const file = join(home.bench, 'tables.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(machineId(), 'another machine'));
  expect(benchOf(home, fp32.pack, fp32.engine)).toBeNull();
});

it('stops when it is told to, and keeps nothing', async () => {
  const { engine, dir } = await open({});
  const abort = new AbortController();
  const measuring = measureTables(engine, await writePhotos(dir, 2), {
    sizes: [1, 2],
    clients: [1],
    batch: { mode: 'auto' },
    maxDelayMs: 8,
    ladder: defaultSettings.ladder,
    signal: abort.signal,
    onRow: () => abort.abort(),
  });
  await expect(measuring).rejects.toThrow();
});

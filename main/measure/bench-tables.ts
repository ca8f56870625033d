/** The batch and concurrency tables of an engine, and the knee; kept in VOUCH_HOME by machine, pack, device, precision. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BenchRecord, benchRecordSchema } from '../contract/bench.ts';
import type { BenchDocument } from '../contract/cli.ts';
import type { Pack } from '../contract/pack.ts';
import { type LadderSettings, slaMsOn } from '../contract/settings.ts';
import { writeWhole } from '../files/write-whole.ts';
import type { Home } from '../home.ts';
import type { Engine } from '../inference/core/engine-types.ts';
import type { BatchSetting } from '../inference/protocol.ts';
import { machineId } from '../packs/precision-choice.ts';
import { kneeOf } from './knee.ts';
import { type Load, measureLoad } from './load-test.ts';

export type BenchOptions = Readonly<{
  sizes: readonly number[];
  clients: readonly number[];
  /** The batch that the concurrency table runs with, and that the engine is left with. */
  batch: BatchSetting;
  maxDelayMs: number;
  /** Says how long a photo may take at the knee. */
  ladder: LadderSettings;
  signal: AbortSignal;
  onRow?: (done: number, all: number) => void;
}>;

const rowMs = 2500;
/** Enough for every lane to run full batches more than once. */
const batchesPerRow = 6;
const photosPerClient = 4;
/** How long a row of the concurrency table is measured. */
export const rowOf = (clients: number): Load['atLeast'] => ({ photos: photosPerClient * clients, ms: rowMs });

export const measureTables = async (
  engine: Engine,
  photos: readonly string[],
  { sizes, clients, batch, maxDelayMs, ladder, signal, onRow }: BenchOptions,
): Promise<BenchDocument> => {
  const { lanes, device } = engine.info();
  const all = sizes.length + clients.length;
  let done = 0;
  const row = <T>(figures: T): T => {
    done += 1;
    onRow?.(done, all);
    return figures;
  };
  const batches: BenchDocument['batches'] = [];
  for (const size of sizes) {
    engine.setBatch({ mode: 'fixed', size }, maxDelayMs);
    const load = { clients: (lanes + 1) * size + 2, priority: 'bulk', signal } as const;
    await measureLoad(engine, photos, { ...load, atLeast: { photos: 2 * size, ms: 0 } });
    const atLeast = { photos: batchesPerRow * size, ms: rowMs };
    batches.push(row({ size, ...(await measureLoad(engine, photos, { ...load, atLeast })) }));
  }
  engine.setBatch(batch, maxDelayMs);
  const concurrency: BenchDocument['concurrency'] = [];
  for (const count of clients) {
    const load = { clients: count, priority: 'interactive', atLeast: rowOf(count), signal } as const;
    concurrency.push(row({ clients: count, ...(await measureLoad(engine, photos, load)) }));
  }
  signal.throwIfAborted();
  return { batches, concurrency, knee: kneeOf(batches, slaMsOn(device.used, ladder)), provider: device.used };
};

const recordsSchema = z.array(benchRecordSchema);
const fileOf = ({ bench }: Home): string => join(bench, 'tables.json');

/** Every measurement of this home; empty where there is none, or the file cannot be read. */
export const readBench = (home: Home): readonly BenchRecord[] => {
  try {
    return recordsSchema.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return [];
  }
};

type Key = Pick<BenchRecord, 'machine' | 'packSha256' | 'device' | 'precision'>;
const same = (a: Key, b: Key): boolean =>
  a.machine === b.machine && a.packSha256 === b.packSha256 && a.device === b.device && a.precision === b.precision;

/** What was measured here for a pack as the engine runs it now, or null. */
export const benchOf = (home: Home, pack: Pack, engine: Engine): BenchRecord | null => {
  const { device, precision } = engine.info();
  const key = { machine: machineId(), packSha256: pack.sha256, device: device.used, precision };
  return readBench(home).find((record) => same(record, key)) ?? null;
};

/** Takes the place of an earlier measurement of the same. */
export const keepBench = (home: Home, pack: Pack, engine: Engine, tables: BenchDocument): BenchRecord => {
  const { device, precision } = engine.info();
  const record: BenchRecord = {
    machine: machineId(),
    packId: pack.manifest.id,
    packSha256: pack.sha256,
    device: device.used,
    precision,
    at: Date.now(),
    tables,
  };
  const others = readBench(home).filter((other) => !same(other, record));
  writeWhole(fileOf(home), `${JSON.stringify([...others, record], null, 2)}\n`);
  return record;
};

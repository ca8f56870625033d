import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Pack } from '../../../main/contract/pack.ts';
import { openOnnxRuntime } from '../../../main/inference/session/onnxruntime.ts';
import { probeBatch } from '../../../main/inference/session/prove.ts';
import { openAdapter } from '../../../main/packs/open-adapter.ts';
import { writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';
import { scratch, startRig, writePhotos } from './rig.ts';

let dir: string;
let cache: string;
let pack: Pack;
beforeEach(() => {
  dir = scratch();
  cache = join(dir, 'graphs');
  pack = writeSeparablePack(join(dir, 'pack'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Opens the pack and runs its probe: where the graph came from, and what it answered. */
const start = async (graphCache: string | null = cache) => {
  const adapter = await openAdapter(pack, pack.manifest.inputs[0]!.size);
  const { manifest } = pack;
  const backend = await openOnnxRuntime();
  const graphs = { packDir: pack.dir, names: adapter.photoGraphs, precision: 'fp32', sha256: manifest.sha256 } as const;
  const on = { device: 'cpu', deviceIndex: 0, threads: 1, watched: false } as const;
  const sessions = await backend.open(graphs, { ...on, graphCache });
  if (adapter.kind !== 'separable') throw new Error('the fixture is separable');
  const evidence = await adapter.encodePhotos(probeBatch(adapter), sessions.run);
  await sessions.close();
  return { origin: sessions.origin, evidence };
};
const graphs = () => readdirSync(cache).filter((name) => name.endsWith('.onnx'));

it('writes the optimised graph at the first start, uses it at the second, and answers the same', async () => {
  const without = await start(null);
  expect(without.origin).toBe('original');
  expect(await start()).toEqual({ ...without, origin: 'built' });
  expect(graphs()).toHaveLength(1);
  expect(await start()).toEqual({ ...without, origin: 'cached' });
});

it('takes a graph that is cut short or changed for lost, and makes it anew', async () => {
  const { evidence } = await start();
  const file = join(cache, graphs()[0]!);
  truncateSync(file, statSync(file).size / 2);
  expect(await start()).toEqual({ origin: 'built', evidence });
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  expect(await start()).toEqual({ origin: 'built', evidence });
  expect(await start()).toEqual({ origin: 'cached', evidence });
});

it('falls back to the pack where a sound file holds no graph', async () => {
  await start();
  const file = join(cache, graphs()[0]!);
  const { crc32 } = await import('node:zlib');
  const text = 'no graph';
  writeFileSync(file, text);
  writeFileSync(`${file}.sum`, `${text.length} ${crc32(text)}`);
  expect((await start()).origin).toBe('built');
});

it('does not use the graph of another file', async () => {
  await start();
  utimesSync(join(pack.dir, 'onnx/model.onnx'), new Date(0), new Date(0));
  expect((await start()).origin).toBe('built');
  expect(graphs()).toHaveLength(2);
});

it('goes without where the folder cannot be made', async () => {
  writeFileSync(cache, 'in the way');
  expect((await start()).origin).toBe('original');
});

it('keeps no more than ten graphs, and nothing half written', async () => {
  mkdirSync(cache);
  for (let i = 0; i < 12; i += 1) {
    writeFileSync(join(cache, `old-${i}.onnx`), '');
    utimesSync(join(cache, `old-${i}.onnx`), i, i);
  }
  writeFileSync(join(cache, '.1-left'), '');
  utimesSync(join(cache, '.1-left'), 1, 1);
  await start();
  expect(graphs()).toHaveLength(10);
  expect(graphs()).not.toContain('old-0.onnx');
  expect(readdirSync(cache).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('is told of by the engine, whose further lanes use it too', async () => {
  const photos = await writePhotos(dir, 4);
  const origins: string[] = [];
  for (let i = 0; i < 2; i += 1) {
    // The same pack both times: what counts is its file, not its content.
    const rig = await startRig({ pack, graphCache: cache, threads: 2 });
    origins.push(rig.engine.info().graphs);
    const results = await Promise.all(photos.map((path) => rig.engine.encode(path)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    await rig.close();
  }
  expect(origins).toEqual(['built', 'cached']);
  expect(graphs()).toHaveLength(1);
});

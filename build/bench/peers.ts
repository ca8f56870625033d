/**
 * The classifier alone, one view, fp32, from file to classes: Vouch's engine against transformers.js on the same
 * weights and photos, in two matches: both as they come (Vouch with its automatic batch, transformers.js called with one
 * file after another, as its documentation does), and each in the batches that suit it best. Both run in processes of
 * their own kind, warm; the full pack's rate is told beside.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import onnxProto from 'onnx-proto';
import type { Pack, PackManifest } from '../../main/contract/pack.ts';
import { defaultSettings } from '../../main/contract/settings.ts';
import { openRuntimeDir } from '../../main/hosts/runtime-dir.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';
import { openImagePool } from '../../main/images/core/pool.ts';
import { startEngine } from '../../main/inference/core/engine.ts';
import type { Engine } from '../../main/inference/core/engine-types.ts';
import type { BatchSetting } from '../../main/inference/protocol.ts';
import { loadEngine } from '../../main/measure/load-test.ts';
import { type Bench, median } from './bench.ts';
import { classifierSide } from './classifier-only.ts';
import { makePhotos } from './photos.ts';
import { withCore } from './vouch.ts';

const { onnx } = onnxProto;
const run = promisify(execFile);
const rounds = 5;
const sizes = { px500: [64, 500, 375], mp12: [64, 4000, 3000] } as const;
const limits = { maxBytes: 2 ** 29, maxPixels: 3e8 };
const built = join(import.meta.dirname, '..', '..', 'dist', 'main');

/** A pack whose only graph is the classifier of the embedded one. */
const classifierPack = (dir: string, source: Pack): Pack => {
  mkdirSync(join(dir, 'onnx'), { recursive: true });
  const file = 'onnx/classifier.onnx';
  copyFileSync(join(source.dir, file), join(dir, file));
  const manifest: PackManifest = {
    ...source.manifest,
    id: 'classifier-only',
    adapter: 'classifier-only',
    inputs: [{ size: classifierSide, maxBatch: 8 }],
    precisions: ['fp32'],
    sha256: { [file]: source.manifest.sha256[file]! },
  };
  const text = JSON.stringify(manifest);
  writeFileSync(join(dir, 'vouch.json'), text);
  return { dir, manifest, sha256: createHash('sha256').update(text).digest('hex') };
};

/** The same weights as transformers.js wants them: float pixels in NCHW, already normalised, in; logits out. */
const transformersModel = (dir: string, source: Pack): void => {
  mkdirSync(join(dir, 'onnx'), { recursive: true });
  const model = onnx.ModelProto.decode(readFileSync(join(source.dir, 'onnx', 'classifier.onnx')));
  const graph = model.graph!;
  const nodes = graph.node!;
  const first = nodes.findIndex(({ opType }) => opType === 'Conv');
  const [stem] = nodes.splice(0, first + 1).slice(-1);
  stem!.input![0] = 'pixel_values';
  nodes.unshift(stem!);
  if (nodes.pop()?.opType !== 'Softmax') throw new Error('the classifier does not end as expected');
  const side = classifierSide;
  const port = (name: string, dims: readonly (string | number)[]) =>
    onnx.ValueInfoProto.create({
      name,
      type: {
        tensorType: {
          elemType: onnx.TensorProto.DataType.FLOAT,
          shape: { dim: dims.map((d) => (typeof d === 'number' ? { dimValue: d } : { dimParam: d })) },
        },
      },
    });
  graph.input = [port('pixel_values', ['N', 3, side, side])];
  graph.output = [port('logits', ['N', 1000])];
  writeFileSync(join(dir, 'onnx', 'model.onnx'), onnx.ModelProto.encode(model).finish());
  const id2label = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, String(i)]));
  writeFileSync(join(dir, 'config.json'), JSON.stringify({ model_type: 'efficientnet', id2label }));
  const preprocessor = {
    image_processor_type: 'EfficientNetImageProcessor',
    do_resize: true,
    size: { height: side, width: side },
    resample: 2,
    do_rescale: true,
    rescale_factor: 1 / 128,
    do_normalize: true,
    image_mean: [127 / 128, 127 / 128, 127 / 128],
    image_std: [1, 1, 1],
  };
  writeFileSync(join(dir, 'preprocessor_config.json'), JSON.stringify(preprocessor));
};

type Peer = Readonly<{ perSecond: number; tops: readonly number[] }>;
const peer = async (dir: string, photos: readonly string[], batch: number): Promise<Peer> => {
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'peer-loop.ts'),
    JSON.stringify({ dir, photos, batch }),
  ]);
  return JSON.parse(stdout);
};

const open = async (pack: Pack, home: string): Promise<Engine> => {
  const spawn = spawnNode();
  const images = openImagePool({ spawn, entry: join(built, 'image-host.js'), limits, tell: () => undefined });
  const engine = await startEngine({
    pack,
    images,
    spawn,
    entry: join(built, 'inference-host.js'),
    runtimeDir: openRuntimeDir(home),
    lines: [{ device: 'cpu' }],
    ladder: defaultSettings.ladder,
    precision: 'fp32',
  });
  return { ...engine, stop: () => engine.stop().finally(images.stop) };
};

/** How often Vouch, being faster, goes through the photos, so that both sides run for about as long. */
const passes = 3;

const rateOf = async (engine: Engine, photos: readonly string[]): Promise<number> => {
  const load = { clients: 32, priority: 'bulk', atLeast: { photos: passes * photos.length, ms: 0 } } as const;
  const { ms, seconds, failures } = await loadEngine(engine, photos, load);
  if (failures > 0) throw new Error(`${failures} photos could not be judged`);
  return ms.length / seconds;
};

/** Share of photos on which both sides name the same class first: that they do the same work. */
const sameTop = async (engine: Engine, photos: readonly string[], tops: readonly number[]): Promise<number> => {
  const encoded = await Promise.all(photos.map((path) => engine.encode(path)));
  const firstClass = (bytes: Uint8Array): number =>
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint16(1, true);
  const same = encoded.filter((result, i) => result.ok && result.evidence && firstClass(result.evidence) === tops[i]);
  return same.length / photos.length;
};

/** Photos per second of one round. */
type Rates = Readonly<{ vouch: number; transformers: number; vouchAtBest: number; transformersAtBest: number }>;

/** The size, of a few, that is fastest on a few photos. */
const bestBatch = async (perSecond: (size: number) => Promise<number>): Promise<number> => {
  const sweep: Readonly<{ size: number; rate: number }>[] = [];
  for (const size of [1, 4, 8]) sweep.push({ size, rate: await perSecond(size) });
  return sweep.reduce((a, b) => (b.rate > a.rate ? b : a)).size;
};

export const peers: Bench = async (say) => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-bench-peers-'));
  const source = await withCore(async (core) => core.packs().find(({ manifest }) => manifest.id === 'concept-en')!);
  transformersModel(join(dir, 'peer'), source);
  const engine = await open(classifierPack(join(dir, 'pack'), source), join(dir, 'a'));
  const full = await open(source, join(dir, 'b'));
  try {
    const measure = async (name: keyof typeof sizes) => {
      const [count, width, height] = sizes[name];
      const photos = await makePhotos(count, width, height);
      const some = photos.paths.slice(0, 16);
      const byPeer = (batch: number, paths = photos.paths) => peer(join(dir, 'peer'), paths, batch);
      const byVouch = (batch: BatchSetting, paths = photos.paths) => {
        engine.setBatch(batch);
        return rateOf(engine, paths);
      };
      try {
        const own = await bestBatch((size) => byVouch({ mode: 'fixed', size }, some));
        const theirs = await bestBatch(async (size) => (await byPeer(size, some)).perSecond);
        const rates: Rates[] = [];
        let tops: readonly number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const vouch = await byVouch({ mode: 'auto' });
          const one = await byPeer(1);
          const vouchAtBest = await byVouch({ mode: 'fixed', size: own });
          const atBest = await byPeer(theirs);
          rates.push({ vouch, transformers: one.perSecond, vouchAtBest, transformersAtBest: atBest.perSecond });
          tops = one.tops;
        }
        const middle = (of: (rate: Rates) => number): number => median(rates.map(of));
        const perSecond = {
          vouch: middle((rate) => rate.vouch),
          transformers: middle((rate) => rate.transformers),
          vouchAtBest: middle((rate) => rate.vouchAtBest),
          transformersAtBest: middle((rate) => rate.transformersAtBest),
          fullPack: await rateOf(full, photos.paths),
        };
        const ratio = middle((rate) => rate.vouch / rate.transformers);
        const ratioAtBest = middle((rate) => rate.vouchAtBest / rate.transformersAtBest);
        const agreement = await sameTop(engine, photos.paths, tops);
        const [a, b, c, d, e] = Object.values(perSecond).map((rate) => rate.toFixed(1));
        say(
          `${name}: as they come Vouch ${a}, transformers.js ${b} photos/s, ratio ${ratio.toFixed(2)}; each in its best ` +
            `batches (${own} and ${theirs}) ${c} and ${d}, ratio ${ratioAtBest.toFixed(2)}; full pack ${e}; ` +
            `same first class on ${(100 * agreement).toFixed(0)} %`,
        );
        return {
          ratio,
          ratioAtBest,
          perSecond,
          rounds: rates,
          batch: { vouch: own, transformers: theirs },
          sameFirstClass: agreement,
        };
      } finally {
        photos.remove();
      }
    };
    const px500 = await measure('px500');
    const mp12 = await measure('mp12');
    return {
      ratios: { px500: px500.ratio, mp12: mp12.ratio },
      ratiosAtBest: { px500: px500.ratioAtBest, mp12: mp12.ratioAtBest },
      px500,
      mp12,
    };
  } finally {
    await Promise.all([engine.stop(), full.stop()]);
    for (const home of ['a', 'b']) rmSync(openRuntimeDir(join(dir, home)), { recursive: true, force: true });
    rmSync(dir, { recursive: true, force: true });
  }
};

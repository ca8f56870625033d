/**
 * What batching gives: the automatic size against the best fixed one and against none, on bulk work; and whether eight
 * people who ask at once wait longer with batching than without. One engine, settings changed while it runs.
 */
import type { Engine } from '../../main/inference/core/engine-types.ts';
import type { BatchSetting } from '../../main/inference/protocol.ts';
import { loadEngine } from '../../main/measure/load-test.ts';
import { percentile } from '../../main/measure/percentile.ts';
import { alternate, type Bench, median } from './bench.ts';
import { makePhotos } from './photos.ts';
import { judgingOptions, withCore, withJudging } from './vouch.ts';

/** Short rounds and many of them, so that a busy spell hits all alike. */
const bulkRounds = 9;
const photosPerRun = 40;
const peopleRounds = 16;
const people = 8;
const asksEach = 4;
/** In which the automatic size settles. */
const settlingPhotos = 240;

const fixed = [1, 2, 4, 8];
const auto: BatchSetting = { mode: 'auto' };
const one: BatchSetting = { mode: 'fixed', size: 1 };
const settings: readonly BatchSetting[] = [auto, ...fixed.map((size): BatchSetting => ({ mode: 'fixed', size }))];

const bulkRate = async (engine: Engine, photos: readonly string[], setting: BatchSetting, count = photosPerRun) => {
  engine.setBatch(setting, judgingOptions.maxDelayMs);
  const load = { clients: 40, priority: 'bulk', atLeast: { photos: count, ms: 0 } } as const;
  const { ms, seconds } = await loadEngine(engine, photos, load);
  return ms.length / seconds;
};

/** Of each ask, ms. A round alone is too short for a 99th percentile: those of all rounds are put together. */
const interactiveMs = async (engine: Engine, photos: readonly string[], setting: BatchSetting) => {
  engine.setBatch(setting, judgingOptions.maxDelayMs);
  const load = { clients: people, priority: 'interactive', atLeast: { photos: people * asksEach, ms: 0 } } as const;
  const { ms, failures } = await loadEngine(engine, photos, load);
  if (failures > 0) throw new Error(`${failures} asks were not answered`);
  return ms;
};

export const batching: Bench = async (say) => {
  const photos = await makePhotos(photosPerRun, 500, 375);
  try {
    return await withCore((core) =>
      withJudging(core, async (judging) => {
        const engine = await judging.engine();
        await bulkRate(engine, photos.paths, auto, settlingPhotos);
        const rates: Readonly<{ auto: number; fixed: readonly number[]; autoSize: number }>[] = [];
        for (let round = 0; round < bulkRounds; round += 1) {
          const measured = new Map<BatchSetting, number>();
          let autoSize = 0;
          // The order turns each round.
          for (let i = 0; i < settings.length; i += 1) {
            const setting = settings[(i + round) % settings.length]!;
            measured.set(setting, await bulkRate(engine, photos.paths, setting));
            if (setting === auto) autoSize = engine.stats().batch;
          }
          const [first = 0, ...others] = settings.map((setting) => measured.get(setting)!);
          rates.push({ auto: first, fixed: others, autoSize });
        }
        const perSecond = {
          auto: median(rates.map((rate) => rate.auto)),
          fixed: Object.fromEntries(fixed.map((size, i) => [size, median(rates.map((rate) => rate.fixed[i]!))])),
        };
        const bestSize = fixed.reduce((a, b) => (perSecond.fixed[b]! > perSecond.fixed[a]! ? b : a));
        const bestAt = fixed.indexOf(bestSize);
        say(
          `auto ${perSecond.auto.toFixed(1)}, ${fixed.map((s) => `${s}: ${perSecond.fixed[s]!.toFixed(1)}`).join(', ')}`,
        );
        const waits = await alternate(
          peopleRounds,
          () => interactiveMs(engine, photos.paths, auto),
          () => interactiveMs(engine, photos.paths, one),
        );
        const p99Of = (all: readonly number[]) =>
          percentile(
            all.toSorted((a, b) => a - b),
            99,
          );
        const p99Ms = { batching: p99Of(waits.flatMap(({ a }) => a)), none: p99Of(waits.flatMap(({ b }) => b)) };
        say(`p99 of ${people} people: ${p99Ms.batching.toFixed(0)} ms with batching, ${p99Ms.none.toFixed(0)} without`);
        return {
          ratios: {
            autoToBest: median(rates.map((rate) => rate.auto / rate.fixed[bestAt]!)),
            gainOverOne: median(rates.map((rate) => rate.fixed[bestAt]! / rate.fixed[0]!)),
            p99: p99Ms.batching / p99Ms.none,
          },
          perSecond,
          bestSize,
          autoSizes: rates.map(({ autoSize }) => autoSize),
          p99Ms,
          note:
            'On CPU a batch saves only overhead, and its activations push each other out of the cache: the gain over one ' +
            'photo at a time may be none.',
        };
      }),
    );
  } finally {
    photos.remove();
  }
};

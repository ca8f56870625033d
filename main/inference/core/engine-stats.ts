/** How the engine fares: the figures of its lines put together. */
import type { ImagePool } from '../../images/core/pool.ts';
import { addTotals, type Latencies, noTotals } from './engine-tally.ts';
import type { EngineStats } from './engine-types.ts';
import type { InferenceLine } from './line.ts';
import type { Router } from './router.ts';

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Each rung once, from when the first line stood on it. */
const together = (rungs: EngineStats['degradation']): EngineStats['degradation'] =>
  rungs.filter(
    (rung, i) =>
      !rungs.some(
        (other, k) =>
          other.code === rung.code &&
          other.cause === rung.cause &&
          (other.since < rung.since || (other.since === rung.since && k < i)),
      ),
  );

export const statsOf = (
  router: Router<InferenceLine>,
  images: ImagePool,
  latencies: Latencies,
  inEngine: number,
): EngineStats => {
  const lines = router.lines();
  const beats = lines.flatMap(({ client }) => client.heartbeat() ?? []);
  const totals = lines.map(({ client }) => client.totals()).reduce(addTotals, noTotals);
  const { batches, samples, largestBatch, busyMs, gapMs } = totals;
  const walks = lines.flatMap((line) => line.ladder()?.walk ?? []);
  return {
    ...{ batches, samples, largestBatch, busyMs, gapMs },
    meanBatch: batches === 0 ? 0 : samples / batches,
    latencies: latencies.recent(),
    batch: Math.max(...lines.map((line) => line.batch())),
    advice: beats.find(({ advice }) => advice !== null)?.advice ?? null,
    degradation: together(walks.flatMap((walk) => walk.now())),
    pastDegradation: walks.flatMap((walk) => walk.past()).toSorted((a, b) => b.until - a.until),
    queued: router.waiting() + sum(beats.map(({ queued }) => queued)),
    running: sum(beats.map(({ running }) => running)),
    inEngine,
    hosts: [
      ...lines.map((line) => ({ kind: 'inference' as const, ...line.figures() })),
      ...images.hosts().map((host) => ({ kind: 'image' as const, ...host })),
    ],
  };
};

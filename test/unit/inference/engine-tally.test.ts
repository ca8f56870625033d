import { expect, it } from 'vitest';
import { createTally } from '../../../main/inference/core/engine-tally.ts';

it('tells the latencies of the last minute, or the latest hundred where those are more', () => {
  let now = 0;
  const tally = createTally(() => now);
  const add = (count: number, latencyMs: number) => {
    for (let i = 0; i < count; i += 1) tally.add({ batch: 1, runMs: 1, latencyMs });
  };
  const seen = () => {
    const { latencies } = tally.totals();
    return [latencies.filter((ms) => ms === 1).length, latencies.filter((ms) => ms === 2).length];
  };
  add(300, 1);
  expect(seen()).toEqual([300, 0]);
  now = 59_000;
  add(20, 2);
  expect(seen()).toEqual([300, 20]);
  now = 61_000;
  expect(seen()).toEqual([80, 20]);
  now = 3_600_000;
  expect(seen()).toEqual([80, 20]);
});

it('keeps no more than ten thousand of them, and counts all', () => {
  const tally = createTally(() => 0);
  for (let i = 0; i < 25_000; i += 1) tally.add({ batch: 5, runMs: 10, latencyMs: i });
  const { samples, batches, busyMs, meanBatch, latencies } = tally.totals();
  expect([samples, batches, Math.round(busyMs), Math.round(meanBatch)]).toEqual([25_000, 5000, 50_000, 5]);
  expect(latencies).toHaveLength(10_000);
  expect([latencies[0], latencies.at(-1)]).toEqual([15_000, 24_999]);
});

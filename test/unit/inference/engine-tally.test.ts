import { expect, it } from 'vitest';
import { addTotals, createLatencies, noTotals } from '../../../main/inference/core/engine-tally.ts';

it('tells the latencies of the last minute, or the latest hundred where those are more', () => {
  let now = 0;
  const latencies = createLatencies(() => now);
  const add = (count: number, latencyMs: number) => {
    for (let i = 0; i < count; i += 1) latencies.add(latencyMs);
  };
  const seen = () => {
    const recent = latencies.recent();
    return [recent.filter((ms) => ms === 1).length, recent.filter((ms) => ms === 2).length];
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

it('keeps no more than ten thousand of them', () => {
  const latencies = createLatencies(() => 0);
  for (let i = 0; i < 25_000; i += 1) latencies.add(i);
  const recent = latencies.recent();
  expect(recent).toHaveLength(10_000);
  expect([recent[0], recent.at(-1)]).toEqual([15_000, 24_999]);
});

it('adds up what several hosts did', () => {
  const one = { batches: 2, samples: 9, largestBatch: 8, busyMs: 30, gapMs: 1, fellBack: 1 };
  const other = { batches: 3, samples: 3, largestBatch: 1, busyMs: 5, gapMs: 2, fellBack: 0 };
  expect(addTotals(noTotals, one)).toEqual(one);
  expect(addTotals(one, other)).toEqual({
    batches: 5,
    samples: 12,
    largestBatch: 8,
    busyMs: 35,
    gapMs: 3,
    fellBack: 1,
  });
});

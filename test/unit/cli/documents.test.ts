import { expect, it } from 'vitest';
import { deviceOf, latencyOf, precisionOf } from '../../../main/documents/documents.ts';

it('latency is null where nothing was judged', () => {
  expect(latencyOf([])).toBeNull();
});

it('percentiles go by the nearest rank, whatever the order', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(latencyOf(hundred)).toEqual({ mean: 50.5, p50: 50, p95: 95, p99: 99 });
  expect(hundred[0]).toBe(100);
  expect(latencyOf([7])).toEqual({ mean: 7, p50: 7, p95: 7, p99: 7 });
  expect(latencyOf([10, 9, 100, 1])).toEqual({ mean: 30, p50: 9, p95: 100, p99: 100 });
});

it('names no device and no precision where nothing was inferred', () => {
  expect(deviceOf('auto', null)).toMatchObject({ requested: 'auto', used: null, proof: null, fallbackReason: null });
  expect(precisionOf(null)).toBeNull();
});

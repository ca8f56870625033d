import { expect, it } from 'vitest';
import { startMeter } from '../../../main/library/meter.ts';

const clocked = () => {
  let at = 0;
  return { meter: startMeter(() => at), pass: (ms: number) => (at += ms) };
};

it('has no rate before the first item, and no time left where nothing is', () => {
  const { meter, pass } = clocked();
  expect(meter.perSecond()).toBe(0);
  expect(meter.etaMs()).toBe(0);
  meter.expect(10);
  pass(1000);
  expect(meter.etaMs()).toBeNull();
});

it('tells the time left from the rate', () => {
  const { meter, pass } = clocked();
  meter.expect(10);
  pass(2000);
  meter.mark(4);
  expect(meter.perSecond()).toBe(2);
  expect(meter.etaMs()).toBe(3000);
  meter.mark(99);
  expect(meter.etaMs()).toBe(0);
});

it('forgets what is older than half a minute', () => {
  const { meter, pass } = clocked();
  meter.expect(1000);
  pass(1000);
  meter.mark(500);
  pass(20_000);
  meter.mark(20);
  pass(20_000);
  meter.mark(20);
  expect(meter.perSecond()).toBe(1);
});

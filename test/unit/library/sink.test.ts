import { expect, it } from 'vitest';
import { openSink } from '../../../main/library/sink.ts';

const limits = { size: 2, delayMs: 60_000, backlog: 1 };
const settled = () => new Promise((done) => setTimeout(done, 5));

it('hands on full handfuls in order, and the rest at the end', async () => {
  const handed: number[][] = [];
  const sink = openSink<number>(limits, async (items) => {
    await settled();
    handed.push([...items]);
  });
  for (const item of [1, 2, 3, 4, 5]) void sink.put(item);
  await sink.close();
  expect(handed).toEqual([[1, 2], [3, 4], [5]]);
});

it('hands on a part of a handful once it has waited long enough', async () => {
  const handed: number[][] = [];
  const sink = openSink<number>({ ...limits, delayMs: 10 }, async (items) => void handed.push([...items]));
  await sink.put(1);
  expect(handed).toEqual([[1]]);
});

it('has no room while the backlog is full', async () => {
  let finish: () => void = () => undefined;
  const sink = openSink<number>(limits, () => new Promise((done) => (finish = done)));
  await sink.room();
  const puts = [sink.put(1), sink.put(2)];
  let room = false;
  const waiting = sink.room().then(() => (room = true));
  await settled();
  expect(room).toBe(false);
  finish();
  await Promise.all([...puts, waiting]);
  expect(room).toBe(true);
});

it('fails each item of a handful that failed, the later ones, and the end', async () => {
  const sink = openSink<number>(limits, () => Promise.reject(new Error('disk full')));
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => sink.put(item)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  await expect(sink.room()).rejects.toThrow('disk full');
  await expect(sink.close()).rejects.toThrow('disk full');
});

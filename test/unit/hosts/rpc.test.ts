import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { askThread, createAsker, type RpcRequest, type RpcTiming } from '../../../main/hosts/rpc.ts';
import type { TestCalls } from './rpc-thread.ts';

const workers: Worker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.terminate();
});

const start = (argv: readonly string[] = [], onAnswered?: (timing: RpcTiming) => void) => {
  const worker = new Worker(new URL('./rpc-thread.ts', import.meta.url), { argv: [...argv] });
  workers.push(worker);
  return askThread<TestCalls, string>(worker, {
    toError: (fault) => new Error(`fault: ${fault}`),
    lost: (thrown) => new Error(thrown === undefined ? 'ended' : `died: ${(thrown as Error).message}`),
    onAnswered,
  });
};

describe('a request to a thread', () => {
  it('is answered, whatever else is asked meanwhile', async () => {
    const ask = start();
    expect(await Promise.all([ask('double', 1), ask('double', 18), ask('double', 5)])).toEqual([2, 36, 10]);
  });

  it('rejects with the fault as the asker reads it', async () => {
    const ask = start();
    await expect(ask('fail', 'no luck')).rejects.toThrow('fault: no luck');
    await expect(ask('unsendable', null)).rejects.toThrow(/^fault: .*could not be cloned/);
    await expect(ask('nothing' as 'double', 1)).rejects.toThrow('fault: nobody answers to nothing');
    expect(await ask('double', 18)).toBe(36);
  });

  it.each([
    ['starts as it comes, and may overtake', [], [18, 1]],
    ['waits for its turn where requests are taken in order', ['in-order'], [1, 18]],
  ])('%s', async (_, argv, expected) => {
    const ask = start(argv);
    const order: number[] = [];
    await Promise.all([1, 18].map((n) => ask('double', n).then(() => order.push(n))));
    expect(order).toEqual(expected);
  });

  it('is timed: how long it ran, and how long it waited', async () => {
    const timings: RpcTiming[] = [];
    const ask = start(['in-order'], (timing) => timings.push(timing));
    await Promise.all([ask('double', 0), ask('double', 18), ask('fail', 'x').catch(() => undefined)]);
    expect(timings.map(({ name, ok }) => [name, ok])).toEqual([
      ['double', true],
      ['double', true],
      ['fail', false],
    ]);
    expect(timings[0]!.ranMs).toBeGreaterThanOrEqual(18);
    expect(timings[1]!.waitedMs).toBeGreaterThanOrEqual(18);
  });
});

describe('what is told on the way', () => {
  it('comes in order, the next once the one before has been dealt with', async () => {
    const ask = start();
    const dealtWith: number[] = [];
    let atWork = 0;
    let most = 0;
    const onTold = async (n: number) => {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atWork -= 1;
      dealtWith.push(n);
    };
    expect(await ask('count', 4, { onTold })).toBe('done');
    expect(dealtWith).toEqual([1, 2, 3, 4]);
    expect(most).toBe(1);
  });

  it('calls the request off where dealing with it fails, and rejects with that error', async () => {
    const ask = start();
    const seen: number[] = [];
    const onTold = (n: number) => {
      seen.push(n);
      if (n === 2) throw new Error('no room');
    };
    await expect(ask('count', 1000, { onTold })).rejects.toThrow('no room');
    expect(seen.length).toBeLessThan(1000);
    expect(await ask('count', 2)).toBe('done');
  });
});

describe('a request that is called off', () => {
  it('is answered with what there was until then', async () => {
    const ask = start();
    const stop = new AbortController();
    let told = 0;
    const onTold = (n: number) => {
      told = n;
      if (n === 3) stop.abort();
    };
    expect(await ask('untilCalledOff', null, { signal: stop.signal, onTold })).toBeGreaterThanOrEqual(3);
    expect(told).toBeGreaterThanOrEqual(3);
  });

  it('may be called off before it is asked', async () => {
    const ask = start();
    expect(await ask('count', 1_000_000, { signal: AbortSignal.abort() })).toBe('called off');
  });
});

it('buffers are handed over both ways, not copied', async () => {
  const ask = start();
  const given = new Uint8Array([1, 2, 3]).buffer;
  const told: ArrayBuffer[] = [];
  const back = await ask('passOn', given, { transfer: [given], onTold: (buffer) => told.push(buffer) });
  expect([given.byteLength, back.byteLength, told[0]?.byteLength]).toEqual([0, 3, 4]);
  expect(await ask('left', null)).toEqual([0, 0]);
});

describe('when the thread goes', () => {
  it.each([
    ['ends', 'exit', null, 'ended'],
    ['crashes', 'crash', 'out of order', 'died: out of order'],
  ] as const)('because it %s, all that wait are told, and whoever asks later', async (_, how, why, message) => {
    const ask = start();
    const waiting = [ask('untilCalledOff', null), ask('count', 1, { onTold: () => new Promise(() => undefined) })];
    const last = ask(how as 'crash', why as string);
    for (const lost of [...waiting, last]) await expect(lost).rejects.toThrow(message);
    await expect(ask('double', 1)).rejects.toThrow(message);
  });
});

it('what comes for nobody is let go', async () => {
  const posted: RpcRequest[] = [];
  const { ask, hear } = createAsker<TestCalls, string>({
    post: (request) => posted.push(request),
    toError: (fault) => new Error(fault),
  });
  const answer = ask('double', 4);
  hear({ kind: 'answer', id: 99, ranMs: 0, value: 1 });
  hear({ kind: 'answer', id: 1, ranMs: 0, value: 8 });
  hear({ kind: 'answer', id: 1, ranMs: 0, value: 9 });
  hear({ kind: 'told', id: 1, nth: 1, value: 9 });
  expect(await answer).toBe(8);
  expect(posted).toEqual([{ kind: 'ask', id: 1, name: 'double', asked: 4 }]);
});

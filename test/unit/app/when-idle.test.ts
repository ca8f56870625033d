import { describe, expect, it } from 'vitest';
import { whenIdle } from '../../../main/app/when-idle.ts';

/** An act that lasts until it is given up, or `finish` is called. */
const start = (afterMs: number) => {
  const seen = { begun: 0, givenUp: 0, failures: [] as unknown[] };
  const now = { wanted: true, busy: false };
  let finish: (error?: Error) => void = () => undefined;
  const idle = whenIdle({
    afterMs,
    checkEveryMs: 5,
    wanted: () => now.wanted,
    busy: () => now.busy,
    act: (signal) =>
      new Promise<void>((resolve, reject) => {
        seen.begun += 1;
        finish = (error) => (error ? reject(error) : resolve());
        signal.addEventListener('abort', () => {
          seen.givenUp += 1;
          reject(signal.reason);
        });
      }),
    onFailed: (error) => seen.failures.push(error),
  });
  const until = (count: number) => expect.poll(() => seen.begun, { timeout: 20_000 }).toBe(count);
  return { idle, seen, now, until, finish: (error?: Error) => finish(error) };
};
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('what is done when idle', () => {
  it('begins once nobody wants anything, and is given up when somebody does', async () => {
    const { idle, seen, now, until } = start(20);
    now.busy = true;
    await aWhile();
    expect(seen.begun).toBe(0);
    now.busy = false;
    await until(1);
    idle.asked();
    expect(seen.givenUp).toBe(1);
    await until(2);
    now.busy = true;
    await expect.poll(() => seen.givenUp, { timeout: 20_000 }).toBe(2);
    await idle.close();
    expect(seen.failures).toEqual([]);
  });

  it('does not begin while there is nothing to do, and not before its time', async () => {
    const { idle, seen, now, until } = start(20);
    now.wanted = false;
    await aWhile();
    expect(seen.begun).toBe(0);
    now.wanted = true;
    await until(1);
    await idle.close();
    expect(seen.givenUp).toBe(1);
    const patient = start(3_600_000);
    await aWhile();
    await patient.idle.close();
    expect(patient.seen.begun).toBe(0);
  });

  it('is told of when it fails, and not tried again', async () => {
    const { idle, seen, until, finish } = start(0);
    await until(1);
    finish(new Error('broken'));
    await expect.poll(() => seen.failures.length, { timeout: 20_000 }).toBe(1);
    await aWhile();
    expect(seen.begun).toBe(1);
    await idle.close();
  });
});

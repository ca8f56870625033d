import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createIsolation,
  type HostEnd,
  HostLost,
  KilledFromOutside,
  KillsHost,
} from '../../../main/hosts/isolation.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A host that runs tasks side by side; a poison task takes all that are inside with it. */
const fakeHost = () => {
  const inside = new Map<symbol, (how: HostEnd) => void>();
  return {
    inside: () => inside.size,
    crash: (how: HostEnd) => {
      for (const lose of [...inside.values()]) lose(how);
      inside.clear();
    },
    /** Resolves after `turns`, unless the host goes first. */
    task: (id: number, turns: number, onStart: () => void = () => undefined) =>
      new Promise<number>((resolve, reject) => {
        const key = Symbol();
        inside.set(key, (how) => reject(new HostLost(how)));
        onStart();
        (async () => {
          for (let i = 0; i < turns; i += 1) await turn();
          if (inside.delete(key)) resolve(id);
        })();
      }),
  };
};

describe('crash rule', () => {
  it('gives up only the task that kills its host, after two strikes alone', async () => {
    const host = fakeHost();
    const isolation = createIsolation();
    const crashesWith: number[] = [];
    const poison = (id: number) => () => {
      const running = host.task(id, 5);
      setTimeout(() => {
        crashesWith.push(host.inside());
        host.crash('crashed');
      }, 0);
      return running;
    };
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((id) => isolation.run(id === 3 ? poison(3) : () => host.task(id, 3))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const [failed] = results.filter((result) => result.status === 'rejected');
    expect(failed?.reason).toBeInstanceOf(KillsHost);
    expect(failed?.reason.times).toBe(2);
    expect(crashesWith).toEqual([5, 1, 1]);
  });

  it('keeps newcomers out until the suspects are through', async () => {
    const host = fakeHost();
    const isolation = createIsolation();
    const first = [1, 2].map((id) => isolation.run(() => host.task(id, 3)));
    await turn();
    host.crash('crashed');
    await turn();
    const order: number[] = [];
    const newcomer = isolation.run(() => host.task(9, 1)).then((id) => order.push(id));
    await Promise.all([...first.map((done) => done.then((id) => order.push(id))), newcomer]);
    expect(order).toEqual([1, 2, 9]);
  });

  it('blames nobody for a planned restart', async () => {
    const host = fakeHost();
    const isolation = createIsolation();
    const tasks = [1, 2, 3].map((id) => isolation.run(() => host.task(id, 3)));
    await turn();
    host.crash('recycled');
    await turn();
    expect(isolation.suspects()).toBe(0);
    expect(host.inside()).toBe(3);
    expect(await Promise.all(tasks)).toEqual([1, 2, 3]);
  });

  it('settles every task, and none twice, whenever the host is killed from outside', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(5), { maxLength: 3 }),
        async (lengths, kills) => {
          const host = fakeHost();
          const isolation = createIsolation();
          const tasks = lengths.map((turns, id) => isolation.run(() => host.task(id, turns)));
          for (const after of kills) {
            for (let i = 0; i < after; i += 1) await turn();
            host.crash('killed');
          }
          expect(await Promise.all(tasks)).toEqual(lengths.map((_, id) => id));
          expect(isolation.suspects()).toBe(0);
          expect(host.inside()).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a host that is killed from outside', () => {
  it('counts against nobody who had company, and leaves one who was alone for another day', async () => {
    const isolation = createIsolation();
    let tries = 0;
    const always = isolation.run(async () => {
      tries += 1;
      throw new HostLost('killed');
    });
    await expect(always).rejects.toMatchObject({ times: 4 });
    await expect(always).rejects.toBeInstanceOf(KilledFromOutside);
    // The first try was not alone.
    expect(tries).toBe(5);
    let kills = 3;
    const lucky = isolation.run(async () => {
      if (kills === 0) return 'judged';
      kills -= 1;
      throw new HostLost('killed');
    });
    expect(await lucky).toBe('judged');
  });
});

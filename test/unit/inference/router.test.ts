import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Priority } from '../../../main/contract/priority.ts';
import { type HostEnd, HostLost, KillsHost } from '../../../main/hosts/isolation.ts';
import { createRouter, type Routed, type RoutedLine } from '../../../main/inference/core/router.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const turns = async (count: number) => {
  for (let i = 0; i < count; i += 1) await turn();
};

/** A line whose host runs tasks side by side; when it goes, it takes all that are inside with it. */
const modelLine = (changed: () => void, ahead = 3) => {
  const inside = new Map<symbol, (how: HostEnd) => void>();
  const counts = { all: 0, bulk: 0 };
  let up = true;
  let gone: Error | null = null;
  const coming: (() => void)[] = [];
  const bulk = (priority: Priority) => Number(priority !== 'interactive');
  const line: RoutedLine = {
    up: () => {
      if (gone) return Promise.reject(gone);
      if (up) return Promise.resolve();
      return new Promise((resolve) => coming.push(resolve));
    },
    view: () => ({
      ...{ up, inside: counts.all, bulkInside: counts.bulk, most: Number.POSITIVE_INFINITY, ahead },
      msPerPhoto: 1,
    }),
    enter: (priority) => {
      counts.all += 1;
      counts.bulk += bulk(priority);
    },
    leave: (priority) => {
      counts.all -= 1;
      counts.bulk -= bulk(priority);
    },
  };
  return {
    ...line,
    inside: () => inside.size,
    end(how: HostEnd, forGood: Error | null = null) {
      up = false;
      gone = forGood;
      for (const lose of [...inside.values()]) lose(how);
      inside.clear();
      changed();
    },
    start() {
      if (gone) return;
      up = true;
      for (const resolve of coming.splice(0)) resolve();
      changed();
    },
    work: async (length: number, onStart: () => void = () => undefined): Promise<void> => {
      if (!up) throw new HostLost('recycled');
      const key = Symbol();
      const lost = new Promise<never>((_, reject) => inside.set(key, (how) => reject(new HostLost(how))));
      onStart();
      await Promise.race([turns(length), lost]);
      inside.delete(key);
    },
  };
};
type ModelLine = ReturnType<typeof modelLine>;

const open = (count: number) => {
  const router = createRouter<ModelLine>(0);
  const lines = Array.from({ length: count }, () => modelLine(() => router.changed()));
  for (const line of lines) router.add(line);
  return { router, lines };
};
const bulk: Routed = { priority: 'bulk', signal: undefined };

describe('the router', () => {
  it('gives each line what it has room for, and the rest as room comes', async () => {
    const { router, lines } = open(2);
    const done: number[] = [];
    const all = Array.from({ length: 20 }, (_, i) => router.run(bulk, (line) => line.work(2).then(() => done.push(i))));
    await turn();
    expect(lines.map((line) => line.inside())).toEqual([3, 3]);
    await Promise.all(all);
    expect(done.length).toBe(20);
    expect(lines.map((line) => line.view().inside)).toEqual([0, 0]);
  });

  it('has the photos of a lost line judged by the other, alone, before whoever came later', async () => {
    const { router, lines } = open(2);
    const [a, b] = lines as [ModelLine, ModelLine];
    const byB: string[] = [];
    const ask = (name: string) =>
      router.run(bulk, (line) => line.work(4, () => line === b && byB.push(`${name} ${line.inside()}`)));
    const first = ['1', '2', '3', '4', '5', '6', '7'].map(ask);
    await turn();
    a.end('killed');
    const later = ask('8');
    await Promise.all([...first, later]);
    // 2, 4 and 6 were in B at first; then the suspects one by one, then those who waited.
    expect(byB).toEqual(['2 1', '4 2', '6 3', '1 1', '3 1', '5 1', '7 1', '8 2']);
  });

  it('goes on with the others on a line that comes back, while suspects are tried', async () => {
    const { router, lines } = open(2);
    const [a, b] = lines as [ModelLine, ModelLine];
    const where = new Map<number, ModelLine>();
    const ask = (i: number) => router.run(bulk, (line) => line.work(6, () => where.set(i, line)));
    const all = [1, 2, 3, 4, 5, 6].map(ask);
    await turn();
    a.end('crashed');
    await turn();
    all.push(...[7, 8].map(ask));
    a.start();
    await turns(2);
    expect([where.get(7), where.get(8)]).toEqual([a, a]);
    await Promise.all(all);
    expect([1, 3, 5].map((i) => where.get(i) === b)).toEqual([true, true, true]);
  });

  it('gives up a photo that kills whichever host it is in, and no other', async () => {
    const { router, lines } = open(2);
    const poison = router.run(bulk, async (line) => {
      const working = line.work(5);
      setTimeout(() => {
        line.end('crashed');
        setTimeout(line.start, 5);
      }, 0);
      await working;
    });
    const others = Array.from({ length: 10 }, () => router.run(bulk, (line) => line.work(3)));
    await expect(poison).rejects.toBeInstanceOf(KillsHost);
    await Promise.all(others);
    expect(lines.map((line) => line.view().inside)).toEqual([0, 0]);
  });

  it('goes on with one line when the other is gone for good, and refuses only when all are', async () => {
    const { router, lines } = open(2);
    const [a, b] = lines as [ModelLine, ModelLine];
    const refused = new Error('no such device');
    a.end('recycled', refused);
    await Promise.all(Array.from({ length: 9 }, () => router.run(bulk, (line) => line.work(1))));
    b.end('recycled', refused);
    await expect(router.run(bulk, (line) => line.work(1))).rejects.toBe(refused);
  });

  it('lets go of whoever gives up waiting, and of everybody once closed', async () => {
    const { router, lines } = open(1);
    lines[0]?.end('recycled');
    const abort = new AbortController();
    const impatient = router.run({ priority: 'bulk', signal: abort.signal }, (line) => line.work(1));
    const patient = router.run(bulk, (line) => line.work(1));
    abort.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    router.close(new Error('closed'));
    await expect(patient).rejects.toThrow('closed');
    await expect(router.run(bulk, (line) => line.work(1))).rejects.toThrow('closed');
    lines[0]?.start();
    expect(lines[0]?.view().inside).toBe(0);
  });

  it('settles every photo, however hosts are killed and replaced', async () => {
    const act = fc.record({ line: fc.nat(2), after: fc.nat(4), back: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
        fc.array(act, { maxLength: 4 }),
        async (count, lengths, acts) => {
          const { router, lines } = open(count);
          const tasks = lengths.map((length, i) => router.run(bulk, (line) => line.work(length)).then(() => i));
          for (const { line, after, back } of acts) {
            const struck = lines[line % count]!;
            await turns(after);
            struck.end('killed');
            setTimeout(struck.start, back);
          }
          expect(await Promise.all(tasks)).toEqual(lengths.map((_, i) => i));
          expect(lines.every((line) => line.view().inside === 0)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

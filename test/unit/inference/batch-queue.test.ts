import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Priority, priorities } from '../../../main/contract/priority.ts';
import { createBatchQueue } from '../../../main/inference/host/batch-queue.ts';

type Item = Readonly<{ id: number; priority: Priority; client: string; deadlineAt: number | null; group: string }>;
const item = (id: number, more: Partial<Item> = {}): Item => ({
  id,
  priority: 'bulk',
  client: 'a',
  deadlineAt: null,
  group: 'x',
  ...more,
});
const ids = (items: readonly Item[]): number[] => items.map(({ id }) => id);

describe('batch queue', () => {
  it('starts a full batch at once and a partial one when its oldest item has waited', () => {
    const queue = createBatchQueue<Item>(10);
    expect(queue.dueAt(2, 8)).toBeNull();
    queue.add(item(1), 100);
    queue.add(item(2, { priority: 'interactive' }), 105);
    expect(queue.dueAt(3, 8)).toBe(108);
    expect(queue.dueAt(2, 8)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('takes interactive before bulk before retry', () => {
    const queue = createBatchQueue<Item>(10);
    queue.add(item(1, { priority: 'retry' }), 0);
    queue.add(item(2), 0);
    queue.add(item(3, { priority: 'interactive' }), 0);
    queue.add(item(4), 0);
    expect(ids(queue.peek(3))).toEqual([3, 2, 4]);
    expect(ids(queue.take(3))).toEqual([3, 2, 4]);
    expect(ids(queue.take(3))).toEqual([1]);
  });

  it('puts only one group into a batch, lets nothing overtake it, and starts what can grow no more', () => {
    const queue = createBatchQueue<Item>(10);
    for (const [id, group] of [...'xxyx'].entries()) queue.add(item(id, { group }), 0);
    expect(queue.dueAt(4, 8)).toBe(Number.NEGATIVE_INFINITY);
    expect(ids(queue.peek(4))).toEqual([0, 1]);
    expect(ids(queue.take(4))).toEqual([0, 1]);
    expect(ids(queue.take(4))).toEqual([2]);
    expect(queue.dueAt(4, 8)).toBe(8);
    expect(ids(queue.take(4))).toEqual([3]);
  });

  it('refuses what is beyond its bound', () => {
    const queue = createBatchQueue<Item>(1);
    expect(queue.add(item(1), 0)).toBe('queued');
    expect(queue.add(item(2), 0)).toBe('queue_full');
    expect(ids(queue.take(5))).toEqual([1]);
  });

  it('tells the earliest deadline and takes out what has passed it', () => {
    const queue = createBatchQueue<Item>(10);
    queue.add(item(1, { deadlineAt: 50 }), 0);
    queue.add(item(2, { deadlineAt: 20, priority: 'retry' }), 0);
    queue.add(item(3), 0);
    expect(queue.nextDeadline()).toBe(20);
    expect(ids(queue.expire(20))).toEqual([2]);
    expect(queue.nextDeadline()).toBe(50);
    expect(queue.size()).toBe(2);
  });
});

type Command =
  | Readonly<{ kind: 'add'; priority: Priority; client: string; group: string; life: number | null }>
  | Readonly<{ kind: 'take'; batch: number }>
  | Readonly<{ kind: 'pass'; ms: number }>
  | Readonly<{ kind: 'cancel'; client: string }>;

const client = fc.constantFrom('a', 'b', 'c');
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      priority: fc.constantFrom(...priorities),
      client,
      group: fc.constantFrom('x', 'y'),
      life: fc.option(fc.nat(50)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), batch: fc.integer({ min: 1, max: 5 }) }) },
  fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(30) }),
  fc.record({ kind: fc.constant('cancel' as const), client }),
);

describe('batch queue against a plain sorted list', () => {
  it('loses nothing, gives nothing twice, keeps order, deadlines and its bound', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (commands, capacity) => {
        const queue = createBatchQueue<Item>(capacity);
        let model: Array<Item & { at: number }> = [];
        let now = 0;
        let next = 0;
        const out: Item[] = [];
        const inOrder = () =>
          model.toSorted((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || a.id - b.id);
        const inBatch = (batch: number) => {
          const all = inOrder();
          const other = all.findIndex(({ group }) => group !== all[0]!.group);
          return all.slice(0, Math.min(batch, other < 0 ? all.length : other));
        };
        const leave = (items: readonly Item[]) => {
          out.push(...items);
          model = model.filter(({ id }) => !items.some((gone) => gone.id === id));
        };
        for (const step of commands) {
          if (step.kind === 'add') {
            next += 1;
            const added = item(next, { ...step, deadlineAt: step.life === null ? null : now + step.life });
            const full = model.length >= capacity;
            expect(queue.add(added, now)).toBe(full ? 'queue_full' : 'queued');
            if (!full) model.push({ ...added, at: now });
          } else if (step.kind === 'pass') {
            now += step.ms;
            const late = model.filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now);
            const expired = queue.expire(now);
            expect(ids(expired).sort()).toEqual(ids(late).sort());
            leave(expired);
          } else if (step.kind === 'cancel') {
            const unwanted = model.filter((waiting) => waiting.client === step.client);
            const removed = queue.remove((waiting) => waiting.client === step.client);
            expect(ids(removed).sort()).toEqual(ids(unwanted).sort());
            leave(removed);
          } else {
            const oldest = Math.min(...model.map(({ at }) => at));
            const grown = model.length >= step.batch || inBatch(step.batch).length < model.length;
            const due = model.length === 0 ? null : grown ? Number.NEGATIVE_INFINITY : oldest + 8;
            expect(queue.dueAt(step.batch, 8)).toBe(due);
            const expected = ids(inBatch(step.batch));
            expect(ids(queue.peek(step.batch))).toEqual(expected);
            leave(queue.expire(now));
            const taken = queue.take(step.batch);
            expect(ids(taken)).toEqual(ids(inBatch(step.batch)));
            for (const { deadlineAt } of taken) if (deadlineAt !== null) expect(deadlineAt).toBeGreaterThan(now);
            leave(taken);
          }
          expect(queue.size()).toBe(model.length);
          expect(model.length).toBeLessThanOrEqual(capacity);
          expect(queue.nextDeadline()).toBe(
            model.reduce<number | null>(
              (first, { deadlineAt }) =>
                deadlineAt !== null && (first === null || deadlineAt < first) ? deadlineAt : first,
              null,
            ),
          );
        }
        while (queue.size() > 0) leave(queue.take(Number.MAX_SAFE_INTEGER));
        expect(model).toEqual([]);
        expect(new Set(ids(out)).size).toBe(out.length);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueueItem } from '../../../main/contract/review.ts';
import { all, nothingSelected, only, rangeTo, toggled } from '../../../renderer/review/selection.ts';
import {
  append,
  currentOf,
  decide as decideAll,
  drop,
  type Entry,
  emptyWorklist,
  mark,
  moveTo,
  openItems,
  openNear,
  pace,
  undo,
  type Worklist,
} from '../../../renderer/review/worklist.ts';

const item = (id: string): QueueItem => ({
  verdictId: id,
  photoId: `photo ${id}`,
  path: `/photos/${id}.jpg`,
  width: 4,
  height: 3,
  statementId: 's',
  statement: 'a dog',
  setName: 'set',
  label: 'maybe',
  effectiveLabel: 'maybe',
  lean: 'yes',
  confidence: 0.6,
  grade: 'low',
  p: { yes: 0.6, no: 0.1, maybe: 0.3 },
  reason: { code: 'model_score', params: {} },
  damaged: false,
  degraded: false,
  flagged: false,
  reviewed: false,
  wantsReview: true,
  flags: [],
  model: 'concept-en',
  precision: 'fp32',
  device: 'cpu',
  at: 0,
});
const worklistOf = (...ids: readonly string[]): Worklist => append(emptyWorklist, ids.map(item));
const decide = (worklist: Worklist, ids: readonly string[], entry: Entry, time: number): Worklist =>
  decideAll(worklist, new Map(ids.map((id) => [id, entry])), time);
const yes: Entry = { label: 'yes', kind: 'override' };
const skip: Entry = { label: null, kind: 'skip' };

describe('a worklist', () => {
  it('has an open item at hand as long as there is one, wherever one is', () => {
    const near = (worklist: Worklist) => openNear(worklist)?.verdictId;
    const all = worklistOf('a', 'b', 'c', 'd');
    expect(near(moveTo(all, 2))).toBe('c');
    // One went back to what was decided: the next open one; past the last: the last one before.
    expect(near(moveTo(decide(all, ['a', 'b'], yes, 0), 0))).toBe('c');
    expect(near(decide(moveTo(decide(all, ['c'], yes, 0), 3), ['d'], yes, 1))).toBe('b');
    expect(near(moveTo(decide(all, ['a', 'b', 'c', 'd'], yes, 0), 1))).toBe(undefined);
    expect(near(emptyWorklist)).toBe(undefined);
  });

  it('goes on to the next item that is not decided, and ends past the last', () => {
    let worklist = decide(worklistOf('a', 'b', 'c'), ['a'], yes, 0);
    expect(currentOf(worklist)?.verdictId).toBe('b');
    worklist = decide(moveTo(decide(worklist, ['b'], skip, 1), 0), ['a'], skip, 2);
    expect(currentOf(worklist)?.verdictId).toBe('c');
    worklist = decide(worklist, ['c'], yes, 3);
    expect([worklist.at, currentOf(worklist), openItems(worklist)]).toEqual([3, undefined, []]);
  });

  it('comes back, after an undo, to where the decision was made and to what stood before', () => {
    const once = decide(worklistOf('a', 'b'), ['a'], yes, 0);
    const twice = decide(moveTo(once, 0), ['a'], skip, 1);
    expect(twice.decided.get('a')).toEqual(skip);
    const back = undo(twice)!;
    expect([back.at, back.decided.get('a')]).toEqual([0, yes]);
    expect(undo(undo(back)!)).toBeNull();
  });

  it('flags only what is not flagged, stays where it is, and undoes flags and decisions in the order of acts', () => {
    const flags = (worklist: Worklist) => worklist.items.map(({ flagged }) => flagged);
    const one = mark(worklistOf('a', 'b', 'c'), new Set(['b']), true);
    const all = mark(decide(one, ['a'], yes, 0), new Set(['a', 'b', 'c']), true);
    expect([all.at, flags(all), all.steps.at(-1)?.ids]).toEqual([1, [true, true, true], ['a', 'c']]);
    const undone = undo(all)!;
    expect([flags(undone), undone.decided.size]).toEqual([[false, true, false], 1]);
    const start = undo(undo(undone)!)!;
    expect([start.at, flags(start), start.decided.size, undo(start)]).toEqual([0, [false, false, false], 0, null]);
    expect(flags(drop(all, one.steps[0]!))).toEqual([true, false, true]);
  });

  it('is as it was after as many undos as decisions and flags, whatever they were', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const moves = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 5 }),
        many: fc.subarray(ids, { minLength: 1 }),
        act: fc.constantFrom('skip', 'yes', 'flag', 'unflag'),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(moves, (list) => {
        const start = worklistOf(...ids);
        let worklist = start;
        for (const { at, many, act } of list) {
          const there = moveTo(worklist, at);
          worklist = act.endsWith('flag')
            ? mark(there, new Set(many), act === 'flag')
            : decide(there, many, act === 'skip' ? skip : yes, 0);
        }
        for (const _ of list) worklist = undo(worklist)!;
        expect([...worklist.decided]).toEqual([]);
        expect(worklist.items).toEqual(start.items);
      }),
    );
  });

  it('drops a decision that could not be stored and keeps the later ones', () => {
    const first = decide(worklistOf('a', 'b'), ['a'], yes, 0);
    const both = decide(first, ['b'], yes, 1);
    const dropped = drop(both, first.steps[0]!);
    expect([...dropped.decided.keys()]).toEqual(['b']);
    expect(dropped.at).toBe(both.at);
    expect(drop(dropped, first.steps[0]!)).toBe(dropped);
  });

  it('takes in each item once', () => {
    expect(append(worklistOf('a', 'b'), [item('b'), item('c')]).items.map(({ verdictId }) => verdictId)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('tells the pace once there is something to tell', () => {
    let worklist = worklistOf('a', 'b', 'c', 'd', 'e', 'f');
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) worklist = decide(worklist, [id], yes, index * 2000);
    expect(pace(worklist)).toBeNull();
    expect(pace(decide(worklist, ['e', 'f'], yes, 8000))).toBeCloseTo(37.5);
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];
  it('toggles, spans and takes all', () => {
    expect([...toggled(only('a'), 'c').ids]).toEqual(['a', 'c']);
    expect([...toggled(only('a'), 'a').ids]).toEqual([]);
    expect([...rangeTo(only('c'), 'a', order).ids]).toEqual(['a', 'b', 'c']);
    expect([...rangeTo(rangeTo(only('b'), 'd', order), 'a', order).ids]).toEqual(['a', 'b']);
    expect([...rangeTo(nothingSelected, 'b', order).ids]).toEqual(['a', 'b']);
    expect(rangeTo(only('b'), 'gone', order)).toEqual(only('b'));
    expect(all(order).ids.size).toBe(4);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Priority, priorities } from '../../../main/contract/priority.ts';
import {
  type LineView,
  nextGiven,
  roomOf,
  type Trial,
  trialLine,
  type WaitingPhoto,
} from '../../../main/inference/core/routing.ts';

const line = (view: Partial<LineView> = {}): LineView => ({
  ...{ up: true, inside: 0, bulkInside: 0, most: Number.POSITIVE_INFINITY, ahead: 4, msPerPhoto: 50 },
  ...view,
});
const photo = (order: number, priority: Priority = 'bulk', suspect = false): WaitingPhoto => ({
  order,
  priority,
  suspect,
});

const taken = (inside: number, bulkInside = inside) => ({ inside, bulkInside });

/** Every photo that is given out, as its order and its line, until none is. */
const givenOut = (
  waiting: readonly WaitingPhoto[],
  lines: readonly LineView[],
  decoding = 2,
  trial: Trial | null = null,
) => {
  const views = lines.map((view) => ({ ...view }));
  let left = [...waiting];
  const out: (readonly [number, number])[] = [];
  for (let given = nextGiven(left, views, trial, decoding); given; given = nextGiven(left, views, trial, decoding)) {
    const next = left[given.photo]!;
    left = left.filter((other) => other !== next);
    const view = views[given.line]!;
    const bulkInside = view.bulkInside + Number(next.priority !== 'interactive');
    views[given.line] = { ...view, inside: view.inside + 1, bulkInside };
    out.push([next.order, given.line]);
  }
  return out;
};

describe('which photo goes first', () => {
  it('takes whom a person waits for, then bulk work, then what is tried again, each in the order they came', () => {
    const waiting = [photo(1, 'retry'), photo(4), photo(2), photo(5, 'interactive'), photo(3, 'interactive')];
    expect(givenOut(waiting, [line()]).map(([order]) => order)).toEqual([3, 5, 2, 4, 1]);
  });

  it('holds bulk work back where a line is full, but not whom a person waits for', () => {
    const waiting = [photo(1), photo(2), photo(3, 'interactive')];
    expect(givenOut(waiting, [line({ ...taken(6) })])).toEqual([[3, 0]]);
    expect(givenOut(waiting, [line({ ...taken(6, 5) })])).toEqual([
      [3, 0],
      [1, 0],
    ]);
  });

  it('lets in no more than the ladder says, whoever waits', () => {
    expect(givenOut([photo(1, 'interactive'), photo(2)], [line({ most: 0 })])).toEqual([]);
    expect(givenOut([photo(1, 'interactive'), photo(2)], [line({ most: 1 })])).toEqual([[1, 0]]);
  });
});

describe('which line gets it', () => {
  it('is the one that will be done with it soonest', () => {
    const lines = [line({ msPerPhoto: 100, ...taken(1) }), line({ msPerPhoto: 30, ...taken(3) })];
    expect(nextGiven([photo(1)], lines, null, 2)).toEqual({ photo: 0, line: 1 });
    expect(nextGiven([photo(1)], [lines[0]!, line({ msPerPhoto: 60, ...taken(3) })], null, 2)?.line).toBe(0);
  });

  it('is never one that is down', () => {
    expect(givenOut([photo(1), photo(2)], [line({ up: false }), line()])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(givenOut([photo(1)], [line({ up: false })])).toEqual([]);
  });

  it('gives a line of its own all that the image hosts decode, and several their part by speed', () => {
    const many = Array.from({ length: 40 }, (_, i) => photo(i));
    expect(givenOut(many, [line({ ahead: 3 })], 6).length).toBe(9);
    const inLine = (i: number) =>
      givenOut(many, [line({ ahead: 3, msPerPhoto: 10 }), line({ ahead: 3, msPerPhoto: 20 })], 6).filter(
        ([, at]) => at === i,
      ).length;
    expect([inLine(0), inLine(1)]).toEqual([7, 5]);
  });

  it('leaves room in the engine for what the lines that are up hold, and for what is decoded', () => {
    expect(roomOf([line({ ahead: 4 })], 2)).toBe(6);
    expect(roomOf([line({ ahead: 4 }), line({ ahead: 8 })], 2)).toBe(14);
    expect(roomOf([line({ ahead: 4 }), line({ ahead: 8, up: false })], 2)).toBe(6);
    expect(roomOf([line({ ahead: 4, up: false })], 2)).toBe(6);
  });
});

describe('photos that were in a host that died', () => {
  const suspects = [photo(1, 'bulk', true), photo(2, 'bulk', true)];

  it('are tried alone on the line that is empty soonest, and stay with it while it is up', () => {
    const lines = [line({ up: false }), line({ ...taken(3) }), line({ ...taken(1) })];
    expect(trialLine(lines, null)).toBe(2);
    expect(trialLine(lines, 1)).toBe(1);
    expect(trialLine(lines, 0)).toBe(2);
    expect(trialLine([line({ up: false })], 0)).toBeNull();
  });

  it('wait until that line is empty, and one for the other; the others go on meanwhile', () => {
    const waiting = [...suspects, photo(3), photo(4, 'interactive')];
    const idle: Trial = { line: 1, busy: false };
    expect(nextGiven(waiting, [line(), line({ ...taken(1) })], idle, 2)).toEqual({ photo: 3, line: 0 });
    expect(nextGiven(waiting, [line(), line()], idle, 2)).toEqual({ photo: 0, line: 1 });
    expect(nextGiven(waiting, [line(), line()], { line: 1, busy: true }, 2)).toEqual({ photo: 3, line: 0 });
  });

  it('keep everybody else out of the only line', () => {
    const waiting = [...suspects, photo(3, 'interactive')];
    expect(nextGiven(waiting, [line({ ...taken(1) })], { line: 0, busy: false }, 2)).toBeNull();
    expect(nextGiven([photo(3, 'interactive')], [line({ ...taken(1) })], { line: 0, busy: true }, 2)).toBeNull();
  });
});

describe('routing, however lines stand', () => {
  const views = fc.array(
    fc.record({
      up: fc.boolean(),
      bulkInside: fc.nat(12),
      interactive: fc.nat(3),
      most: fc.constantFrom(0, 1, Number.POSITIVE_INFINITY),
      ahead: fc.integer({ min: 1, max: 12 }),
      msPerPhoto: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const priority = fc.constantFrom(...priorities);

  it('never gives what a line has no room for, and leaves nothing waiting that one has room for', () => {
    fc.assert(
      fc.property(views, fc.array(priority, { maxLength: 30 }), fc.nat(8), (all, wanted, decoding) => {
        const lines = all.map(({ interactive, ...view }) => ({ ...view, inside: view.bulkInside + interactive }));
        const waiting = wanted.map((each, i) => photo(i, each));
        const out = givenOut(waiting, lines, decoding);
        expect(new Set(out.map(([order]) => order)).size).toBe(out.length);
        for (const [i, view] of lines.entries()) {
          const got = out.filter(([, at]) => at === i).map(([order]) => wanted[order]!);
          if (got.length === 0) continue;
          const bulk = got.filter((each) => each !== 'interactive').length;
          expect(view.up).toBe(true);
          expect(view.inside + got.length).toBeLessThanOrEqual(view.most);
          if (bulk > 0) expect(view.bulkInside + bulk).toBeLessThanOrEqual(view.ahead + decoding);
        }
        // Within a priority nothing is overtaken.
        for (const each of priorities) {
          const orders = out.filter(([order]) => wanted[order] === each).map(([order]) => order);
          const expected = waiting.filter((other) => other.priority === each).map(({ order }) => order);
          expect(orders).toEqual(expected.slice(0, orders.length));
        }
        const open = lines.some((view, i) => {
          const got = out.filter(([, at]) => at === i).map(([order]) => wanted[order]!);
          const bulk = view.bulkInside + got.filter((each) => each !== 'interactive').length;
          return view.up && view.inside + got.length < view.most && bulk < view.ahead;
        });
        if (open) expect(out.length).toBe(waiting.length);
      }),
    );
  });
});

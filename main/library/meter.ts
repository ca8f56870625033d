/** Rate and time left of long work, from what was done in the last half minute. */

export type Meter = Readonly<{
  expect: (items: number) => void;
  mark: (items: number) => void;
  /** 0 before the first item. */
  perSecond: () => number;
  etaMs: () => number | null;
}>;

const windowMs = 30_000;

export const startMeter = (now: () => number = performance.now.bind(performance)): Meter => {
  let marks: { at: number; items: number }[] = [{ at: now(), items: 0 }];
  let left = 0;
  const perSecond = () => {
    const at = now();
    while (marks.length > 1 && at - marks[1]!.at > windowMs) marks.shift();
    const items = marks.slice(1).reduce((sum, mark) => sum + mark.items, 0);
    const seconds = (at - marks[0]!.at) / 1000;
    return seconds > 0 ? items / seconds : 0;
  };
  return {
    expect: (items) => {
      left = items;
      marks = [{ at: now(), items: 0 }];
    },
    mark: (items) => {
      left = Math.max(0, left - items);
      marks.push({ at: now(), items });
    },
    perSecond,
    etaMs: () => {
      if (left === 0) return 0;
      const rate = perSecond();
      return rate > 0 ? (left / rate) * 1000 : null;
    },
  };
};

/** One sitting at a queue: what was shown, where one is, what was decided, and how to take it back. Pure. */
import type { Label } from '../../main/contract/labels.ts';
import type { QueueItem } from '../../main/contract/review.ts';

/** `label` null: skipped. */
export type Entry = Readonly<{ label: Label | null; kind: 'confirm' | 'override' | 'skip' }>;

/** Where one was when it was made. */
type Place = Readonly<{ ids: readonly string[]; at: number }>;
/** One decision on one or many pairs, with what stood before it; `time`: when it was made, for the pace. */
type DecisionStep = Place & Readonly<{ kind: 'decision'; before: readonly (Entry | undefined)[]; time: number }>;
/** A flag set on pairs that had none, or taken off pairs that had one. */
type FlagStep = Place & Readonly<{ kind: 'flag'; flagged: boolean }>;
export type Step = DecisionStep | FlagStep;

export type Sitting = Readonly<{
  items: readonly QueueItem[];
  /** Of the current item; `items.length` past the last. */
  at: number;
  decided: ReadonlyMap<string, Entry>;
  steps: readonly Step[];
}>;

export const emptySitting: Sitting = { items: [], at: 0, decided: new Map(), steps: [] };

export const currentOf = ({ items, at }: Sitting): QueueItem | undefined => items[at];

/** The first undecided item after `from`; past the last where there is none. */
const nextOpen = ({ items, decided }: Pick<Sitting, 'items' | 'decided'>, from: number): number => {
  for (let at = from + 1; at < items.length; at++) if (!decided.has(items[at]!.verdictId)) return at;
  return items.length;
};

/** The item to decide on where only open ones are in sight: the current one, else the next open one, else the last before. */
export const openNear = (sitting: Sitting): QueueItem | undefined => {
  const { items, at, decided } = sitting;
  const next = nextOpen(sitting, at - 1);
  if (next < items.length) return items[next];
  return items.findLast(({ verdictId }) => !decided.has(verdictId));
};

/** The decision holds at once, and the next open item becomes the current one. */
export const decide = (sitting: Sitting, entries: ReadonlyMap<string, Entry>, time: number): Sitting => {
  const decided = new Map([...sitting.decided, ...entries]);
  const ids = [...entries.keys()];
  const before = ids.map((id) => sitting.decided.get(id));
  const step: Step = { kind: 'decision', ids, before, at: sitting.at, time };
  const after = { ...sitting, decided, steps: [...sitting.steps, step] };
  const current = currentOf(sitting);
  return current && !decided.has(current.verdictId) ? after : { ...after, at: nextOpen(after, sitting.at) };
};

const marked = (sitting: Sitting, ids: readonly string[], flagged: boolean): Sitting => {
  const changed = new Set(ids);
  const items = sitting.items.map((item) => (changed.has(item.verdictId) ? { ...item, flagged } : item));
  return { ...sitting, items };
};

/** Flags the items of these ids that are not flagged yet, or takes the flag off those that are. One stays where one is. */
export const mark = (sitting: Sitting, ids: ReadonlySet<string>, flagged: boolean): Sitting => {
  const changing = sitting.items.filter((item) => ids.has(item.verdictId) && item.flagged !== flagged);
  const step: Step = { kind: 'flag', ids: changing.map(({ verdictId }) => verdictId), at: sitting.at, flagged };
  return { ...marked(sitting, step.ids, flagged), steps: [...sitting.steps, step] };
};

/** As if the step had not been. */
const without = (sitting: Sitting, step: Step): Sitting => {
  if (step.kind === 'flag') return marked(sitting, step.ids, !step.flagged);
  const decided = new Map(sitting.decided);
  step.ids.forEach((id, index) => {
    const before = step.before[index];
    if (before) decided.set(id, before);
    else decided.delete(id);
  });
  return { ...sitting, decided };
};

/** Takes the last decision or flag back and returns to where it was made; null when there is none. */
export const undo = (sitting: Sitting): Sitting | null => {
  const step = sitting.steps.at(-1);
  return step ? { ...without(sitting, step), at: step.at, steps: sitting.steps.slice(0, -1) } : null;
};

/** What could not be stored never was; one stays where one is by now. */
export const drop = (sitting: Sitting, step: Step): Sitting =>
  sitting.steps.includes(step)
    ? { ...without(sitting, step), steps: sitting.steps.filter((other) => other !== step) }
    : sitting;

export const moveTo = (sitting: Sitting, at: number): Sitting => ({
  ...sitting,
  at: Math.min(sitting.items.length, Math.max(0, at)),
});

/** More of the queue; what came before is left out. */
export const append = (sitting: Sitting, more: readonly QueueItem[]): Sitting => {
  const known = new Set(sitting.items.map(({ verdictId }) => verdictId));
  return { ...sitting, items: [...sitting.items, ...more.filter(({ verdictId }) => !known.has(verdictId))] };
};

export const openItems = ({ items, decided }: Sitting): readonly QueueItem[] =>
  items.filter(({ verdictId }) => !decided.has(verdictId));

const paceWindow = 30;
const leastForPace = 5;

/** Decisions a minute over the last thirty; null before there are enough to say. */
export const pace = ({ steps }: Sitting): number | null => {
  const last = steps.filter((step) => step.kind === 'decision').slice(-paceWindow);
  if (last.length < leastForPace) return null;
  const span = last.at(-1)!.time - last[0]!.time;
  const made = last.slice(1).reduce((sum, { ids }) => sum + ids.length, 0);
  return span > 0 ? (made * 60_000) / span : null;
};

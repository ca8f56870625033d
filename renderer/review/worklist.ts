/** What was loaded of a queue: its items, where one is among them, what was decided, and how to take it back. Pure. */
import type { Label } from '../../main/contract/labels.ts';
import type { QueueItem } from '../../main/contract/review.ts';

/** `label` null: skipped. */
export type Entry = Readonly<{ label: Label | null; kind: 'confirm' | 'override' | 'skip' }>;

/** What a step was about, and where one was when it was made. */
type Place = Readonly<{ ids: readonly string[]; at: number }>;
/** One decision on one or many pairs, with what stood before it; `time`: when it was made, for the pace. */
type DecisionStep = Place & Readonly<{ kind: 'decision'; before: readonly (Entry | undefined)[]; time: number }>;
/** A flag set on pairs that had none, or taken off pairs that had one. */
type FlagStep = Place & Readonly<{ kind: 'flag'; flagged: boolean }>;
export type Step = DecisionStep | FlagStep;

export type Worklist = Readonly<{
  items: readonly QueueItem[];
  /** The place of the current item; `items.length` when one is past the last. */
  at: number;
  decided: ReadonlyMap<string, Entry>;
  steps: readonly Step[];
}>;

export const emptyWorklist: Worklist = { items: [], at: 0, decided: new Map(), steps: [] };

export const currentOf = ({ items, at }: Worklist): QueueItem | undefined => items[at];

/** The first undecided item after `from`; past the last where there is none. */
const nextOpen = ({ items, decided }: Pick<Worklist, 'items' | 'decided'>, from: number): number => {
  for (let at = from + 1; at < items.length; at++) if (!decided.has(items[at]!.verdictId)) return at;
  return items.length;
};

/** The item to decide on where only open ones are in sight: the current one, else the next open one, else the last before. */
export const openNear = (worklist: Worklist): QueueItem | undefined => {
  const { items, at, decided } = worklist;
  const next = nextOpen(worklist, at - 1);
  if (next < items.length) return items[next];
  return items.findLast(({ verdictId }) => !decided.has(verdictId));
};

/** The decision holds at once, and the next open item becomes the current one. */
export const decide = (worklist: Worklist, entries: ReadonlyMap<string, Entry>, time: number): Worklist => {
  const decided = new Map([...worklist.decided, ...entries]);
  const ids = [...entries.keys()];
  const before = ids.map((id) => worklist.decided.get(id));
  const step: Step = { kind: 'decision', ids, before, at: worklist.at, time };
  const after = { ...worklist, decided, steps: [...worklist.steps, step] };
  const current = currentOf(worklist);
  return current && !decided.has(current.verdictId) ? after : { ...after, at: nextOpen(after, worklist.at) };
};

const marked = (worklist: Worklist, ids: readonly string[], flagged: boolean): Worklist => {
  const changed = new Set(ids);
  const items = worklist.items.map((item) => (changed.has(item.verdictId) ? { ...item, flagged } : item));
  return { ...worklist, items };
};

/** Flags the items of these ids that are not flagged yet, or takes the flag off those that are. One stays where one is. */
export const mark = (worklist: Worklist, ids: ReadonlySet<string>, flagged: boolean): Worklist => {
  const changing = worklist.items.filter((item) => ids.has(item.verdictId) && item.flagged !== flagged);
  const step: Step = { kind: 'flag', ids: changing.map(({ verdictId }) => verdictId), at: worklist.at, flagged };
  return { ...marked(worklist, step.ids, flagged), steps: [...worklist.steps, step] };
};

/** As if the step had not been. */
const without = (worklist: Worklist, step: Step): Worklist => {
  if (step.kind === 'flag') return marked(worklist, step.ids, !step.flagged);
  const decided = new Map(worklist.decided);
  step.ids.forEach((id, index) => {
    const before = step.before[index];
    if (before) decided.set(id, before);
    else decided.delete(id);
  });
  return { ...worklist, decided };
};

/** Takes the last decision or flag back and returns to where it was made; null when there is none. */
export const undo = (worklist: Worklist): Worklist | null => {
  const step = worklist.steps.at(-1);
  return step ? { ...without(worklist, step), at: step.at, steps: worklist.steps.slice(0, -1) } : null;
};

/** What could not be stored never was; one stays where one is by now. */
export const drop = (worklist: Worklist, step: Step): Worklist =>
  worklist.steps.includes(step)
    ? { ...without(worklist, step), steps: worklist.steps.filter((other) => other !== step) }
    : worklist;

export const moveTo = (worklist: Worklist, at: number): Worklist => ({
  ...worklist,
  at: Math.min(worklist.items.length, Math.max(0, at)),
});

/** More of the queue; what came before is left out. */
export const append = (worklist: Worklist, more: readonly QueueItem[]): Worklist => {
  const known = new Set(worklist.items.map(({ verdictId }) => verdictId));
  return { ...worklist, items: [...worklist.items, ...more.filter(({ verdictId }) => !known.has(verdictId))] };
};

export const openItems = ({ items, decided }: Worklist): readonly QueueItem[] =>
  items.filter(({ verdictId }) => !decided.has(verdictId));

const paceWindow = 30;
const leastForPace = 5;

/** Decisions a minute over the last thirty; null before there are enough to say. */
export const pace = ({ steps }: Worklist): number | null => {
  const last = steps.filter((step) => step.kind === 'decision').slice(-paceWindow);
  if (last.length < leastForPace) return null;
  const span = last.at(-1)!.time - last[0]!.time;
  const made = last.slice(1).reduce((sum, { ids }) => sum + ids.length, 0);
  return span > 0 ? (made * 60_000) / span : null;
};

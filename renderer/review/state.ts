/** The review as the window holds it: which queue, the sitting, and what a person does. The core is told in order. */
import { create } from 'zustand';
import type { Label } from '../../main/contract/labels.ts';
import type { Decision, QueueItem, QueueName, QueueOrder, QueueScope } from '../../main/contract/review.ts';
import { reportFailure } from '../data/actions.ts';
import { type ApiFailure, answerOf, vouch } from '../data/call.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';
import { nothingSelected, type Selection } from './selection.ts';
import {
  append,
  currentOf,
  decide,
  drop,
  type Entry,
  emptySitting,
  mark,
  moveTo,
  openNear,
  type Sitting,
  type Step,
  undo,
} from './sitting.ts';

export type ReviewView = 'queue' | 'try' | 'quality';
export type ReviewMode = 'focus' | 'grid';

type Asked = Readonly<{ queue: QueueName; scope: QueueScope; order: QueueOrder }>;
type Review = Asked &
  Readonly<{
    view: ReviewView;
    mode: ReviewMode;
    sitting: Sitting;
    /** Of the queue when it was opened. */
    total: number;
    atLeast: boolean;
    next: string | null;
    status: 'idle' | 'loading' | 'ready' | 'failed';
    failure: ApiFailure | null;
    /** Whether the model's answer is hidden; null: as the queue has it. */
    hidden: boolean | null;
    shownAt: number;
    note: string;
    writingNote: boolean;
    selection: Selection;
  }>;

const pageSize = 100;
/** As many pairs as one decision may be about. */
const mostAtOnce = 10_000;
/** So many items before the end of what is loaded, more is asked for. */
const loadAhead = 40;

export const useReview = create<Review>(() => ({
  ...{ queue: 'review', scope: {}, order: 'uncertain', view: 'queue', mode: 'focus' },
  ...{ sitting: emptySitting, total: 0, atLeast: false, next: null, status: 'idle', failure: null },
  ...{ hidden: null, shownAt: 0, note: '', writingNote: false, selection: nothingSelected },
}));
const { setState: set, getState: get } = useReview;

export const isHidden = ({ hidden, queue }: Pick<Review, 'hidden' | 'queue'>): boolean => hidden ?? queue === 'audit';

/** What one is looking at: the grid shows open items only. */
export const atHand = ({ mode, sitting }: Pick<Review, 'mode' | 'sitting'>): QueueItem | undefined =>
  mode === 'grid' ? openNear(sitting) : currentOf(sitting);

/** Whatever becomes the current item starts afresh. */
const fresh = () => ({ shownAt: Date.now(), note: '', writingNote: false });

/** Verdicts of this queue that have been in sight: a decision on one of them is not blind any more. */
const seen = new Set<string>();
const noteSeen = (): void => {
  const { mode, sitting } = get();
  if (isHidden(get())) return;
  for (const item of mode === 'grid' ? sitting.items : [currentOf(sitting)]) if (item) seen.add(item.verdictId);
};

const setSitting = (sitting: Sitting): void => {
  const moved = currentOf(sitting) !== currentOf(get().sitting);
  if (moved && get().mode === 'focus') noteSeen();
  set({ sitting, ...(moved && fresh()) });
  if (sitting.items.length - sitting.at < loadAhead) void loadMore();
};

/** What is told to the core waits for what was told before, so that undo takes back the right thing. */
let told: Promise<unknown> = Promise.resolve();
const tell = (work: () => Promise<unknown>): void => {
  told = told.then(work, work);
};

let opening = 0;
let loading: Promise<void> | null = null;

const load = async (asked: Asked, cursor: string | null): Promise<void> => {
  const mine = opening;
  try {
    // What has been decided must not be asked again because the core has yet to hear of it.
    await told;
    if (mine !== opening) return;
    const page = await answerOf(vouch.review.page({ ...asked, cursor, limit: pageSize }));
    if (mine !== opening) return;
    const first = cursor === null;
    set(({ sitting, total, atLeast }) => ({
      sitting: append(first ? emptySitting : sitting, page.items),
      ...{ next: page.next, status: 'ready', failure: null },
      ...(first ? { total: page.total, atLeast: page.atLeast, ...fresh() } : { total, atLeast }),
    }));
  } catch (failure) {
    if (mine === opening) set({ status: 'failed', failure: failure as ApiFailure });
  }
};

const askedOf = ({ queue, scope, order }: Review): Asked => ({ queue, scope, order });

export const loadMore = (): Promise<void> => {
  const { next } = get();
  if (next === null) return Promise.resolve();
  loading ??= load(askedOf(get()), next).finally(() => {
    loading = null;
  });
  return loading;
};

/** Everything of the queue, up to what one decision may take. */
export const loadAll = async (): Promise<void> => {
  while (get().next !== null && get().status === 'ready' && get().sitting.items.length < mostAtOnce) await loadMore();
};

/** Begins a sitting at a queue; what is not named stays as it was. */
export const openQueue = (asked: Partial<Asked> = {}): Promise<void> => {
  opening += 1;
  loading = null;
  const queue = asked.queue ?? get().queue;
  noteSeen();
  if (queue !== get().queue) seen.clear();
  set({
    ...asked,
    ...{ view: 'queue', sitting: emptySitting, next: null, status: 'loading', selection: nothingSelected },
    ...(queue !== get().queue && { hidden: null }),
  });
  return load(askedOf(get()), null);
};

/** What was done last is all that is said of it. */
const act = 'act';

/** What the core refused: taking it back is not for the core to do. */
const refused = new WeakSet<Step>();

const record = (items: readonly QueueItem[], kind: Decision['kind'], label: Label | null): void => {
  if (items.length === 0) return;
  const { sitting, note, shownAt, mode } = get();
  const blind = isHidden(get()) && !items.some(({ verdictId }) => seen.has(verdictId));
  const now = Date.now();
  const entryOf = (item: QueueItem): Entry => ({ label: kind === 'confirm' ? item.label : label, kind });
  const after = decide(sitting, new Map(items.map((item) => [item.verdictId, entryOf(item)])), now);
  const step = after.steps.at(-1)!;
  setSitting(after);
  set({ selection: nothingSelected, note: '', writingNote: false });
  if (get().queue === 'audit' && kind !== 'skip' && !blind) toast({ kind: act, title: i18n.t('review.notBlind') });
  const words = note.trim() === '' ? {} : { note: note.trim() };
  const decision: Decision = kind === 'override' ? { kind, label: label!, ...words } : { kind, ...words };
  const took = mode === 'focus' ? { tookMs: Math.min(86_400_000, now - shownAt) } : {};
  tell(async () => {
    try {
      await answerOf(vouch.review.decide({ verdictIds: [...step.ids], decision, blind, ...took }));
    } catch (failure) {
      refused.add(step);
      setSitting(drop(get().sitting, step));
      reportFailure(failure);
    }
  });
};

/** Decides on items with a label of one's own, which is a confirm where it is the model's on all of them. */
export const decideOn = (items: readonly QueueItem[], label: Label): void =>
  record(items, items.every((item) => item.label === label) ? 'confirm' : 'override', label);

/** Confirms each item as the model has it; one decision, undone as one. */
export const confirm = (items: readonly QueueItem[]): void => record(items, 'confirm', null);

export const skip = (items: readonly QueueItem[]): void => record(items, 'skip', null);

/** Takes back the last decision or flag of the sitting, else the last one ever made, and says which. */
export const undoLast = (): void => {
  const before = get().sitting;
  const step = before.steps.at(-1);
  const after = undo(before);
  if (after) setSitting(after);
  tell(async () => {
    if (step && refused.has(step)) return;
    try {
      const { decisions, flags } = await answerOf(vouch.review.undo({ steps: 1 }));
      if (flags > 0) toast({ kind: act, title: i18n.t('review.undidFlag', { count: flags }) });
      if (after) return;
      const [entry] = decisions;
      if (entry)
        toast({ kind: act, title: i18n.t('review.undid', { statement: entry.statement, count: decisions.length }) });
      else if (flags === 0) return toast({ kind: act, title: i18n.t('review.nothingToUndo') });
      void openQueue();
    } catch (failure) {
      reportFailure(failure);
      void openQueue();
    }
  });
};

/** The item of this id becomes the current one. */
export const showItem = (verdictId: string): void => {
  const at = get().sitting.items.findIndex((item) => item.verdictId === verdictId);
  if (at >= 0) goTo(at);
};

export const goTo = (at: number): void => setSitting(moveTo(get().sitting, at));

/** The model's answer comes into sight or goes out of it. */
export const toggleHidden = (): void => {
  noteSeen();
  set({ hidden: !isHidden(get()) });
};

export const setMode = (mode: ReviewMode): void => {
  noteSeen();
  set({ mode, shownAt: Date.now() });
};

/** Marks items for spot-check, or takes the mark off when all have it. A note that is being written is the reason. */
export const toggleFlag = (items: readonly QueueItem[]): void => {
  if (items.length === 0) return;
  const flagged = !items.every((item) => item.flagged);
  const reason = get().note.trim();
  setSitting(mark(get().sitting, new Set(items.map(({ verdictId }) => verdictId)), flagged));
  const step = get().sitting.steps.at(-1)!;
  const changed = items.filter((item) => item.flagged !== flagged);
  tell(async () => {
    try {
      const targets = changed.map(({ photoId, statementId }) => ({ photoId, statementId }));
      await answerOf(vouch.review.flag({ targets, set: flagged, reason }));
      toast({ kind: act, title: i18n.t(flagged ? 'review.flagSet' : 'review.flagCleared', { count: targets.length }) });
    } catch (failure) {
      refused.add(step);
      setSitting(drop(get().sitting, step));
      reportFailure(failure);
    }
  });
};

/** Skipped pairs come back into the queue. */
export const bringBackSkipped = (): void =>
  tell(async () => {
    try {
      const count = await answerOf(vouch.review.resetSkips());
      toast({ title: i18n.t('review.broughtBack', { count }) });
      void openQueue();
    } catch (failure) {
      reportFailure(failure);
    }
  });

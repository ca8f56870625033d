/** What a person does in a review. It holds in the window at once; the core is told in order, and what it refuses is dropped. */
import type { Label } from '../../main/contract/labels.ts';
import type { Decision, QueueItem } from '../../main/contract/review.ts';
import { reportFailure } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';
import { openQueue, setWorklist } from './queue.ts';
import { nothingSelected } from './selection.ts';
import { isHidden, type ReviewMode, seenBy, useReview } from './state.ts';
import { decide, drop, type Entry, mark, type Step, undo } from './worklist.ts';

const { setState: set, getState: get } = useReview;

/** Only what was done last is told in a toast. */
const act = 'act';

const send = (work: () => Promise<unknown>): void => set(({ sent }) => ({ sent: sent.then(work, work) }));

/** Tells the core of a step, which is dropped where the core refuses it. */
const sendStep = (step: Step, work: () => Promise<unknown>): void =>
  send(async () => {
    try {
      await work();
    } catch (failure) {
      set(({ refused }) => ({ refused: new Set([...refused, step]) }));
      setWorklist(drop(get().worklist, step));
      reportFailure(failure);
    }
  });

const record = (items: readonly QueueItem[], kind: Decision['kind'], label: Label | null): void => {
  if (items.length === 0) return;
  const { worklist, note, shownAt, mode, queue, seen } = get();
  const blind = isHidden(get()) && !items.some(({ verdictId }) => seen.has(verdictId));
  const now = Date.now();
  const entryOf = (item: QueueItem): Entry => ({ label: kind === 'confirm' ? item.label : label, kind });
  const after = decide(worklist, new Map(items.map((item) => [item.verdictId, entryOf(item)])), now);
  const step = after.steps.at(-1)!;
  setWorklist(after);
  set({ selection: nothingSelected, note: '', writingNote: false });
  if (queue === 'audit' && kind !== 'skip' && !blind) toast({ kind: act, title: i18n.t('review.notBlind') });
  const words = note.trim() === '' ? {} : { note: note.trim() };
  const decision: Decision = kind === 'override' ? { kind, label: label!, ...words } : { kind, ...words };
  const took = mode === 'focus' ? { tookMs: Math.min(86_400_000, now - shownAt) } : {};
  sendStep(step, () => answerOf(vouch.review.decide({ verdictIds: [...step.ids], decision, blind, ...took })));
};

/** Decides on items with a label of one's own, which is a confirm where it is the model's on all of them. */
export const decideOn = (items: readonly QueueItem[], label: Label): void =>
  record(items, items.every((item) => item.label === label) ? 'confirm' : 'override', label);

/** Confirms each item as the model has it; one decision, undone as one. */
export const confirm = (items: readonly QueueItem[]): void => record(items, 'confirm', null);

export const skip = (items: readonly QueueItem[]): void => record(items, 'skip', null);

/** Marks items for spot-check, or takes the mark off when all have it. A note that is being written is the reason. */
export const toggleFlag = (items: readonly QueueItem[]): void => {
  if (items.length === 0) return;
  const flagged = !items.every((item) => item.flagged);
  const reason = get().note.trim();
  setWorklist(mark(get().worklist, new Set(items.map(({ verdictId }) => verdictId)), flagged));
  const step = get().worklist.steps.at(-1)!;
  const targets = items
    .filter((item) => item.flagged !== flagged)
    .map(({ photoId, statementId }) => ({ photoId, statementId }));
  sendStep(step, async () => {
    await answerOf(vouch.review.flag({ targets, set: flagged, reason }));
    toast({ kind: act, title: i18n.t(flagged ? 'review.flagSet' : 'review.flagCleared', { count: targets.length }) });
  });
};

/** Takes back what the core has last, and tells of it where it was no step of this worklist. */
const undoInCore = async (inWorklist: boolean): Promise<void> => {
  const { decisions, flags } = await answerOf(vouch.review.undo({ steps: 1 }));
  if (flags > 0) toast({ kind: act, title: i18n.t('review.undidFlag', { count: flags }) });
  if (inWorklist) return;
  const [entry] = decisions;
  if (entry)
    toast({ kind: act, title: i18n.t('review.undid', { statement: entry.statement, count: decisions.length }) });
  else if (flags === 0) return toast({ kind: act, title: i18n.t('review.nothingToUndo') });
  void openQueue();
};

/** Takes back the last decision or flag of the worklist, else the last one ever made, and says which. */
export const undoLast = (): void => {
  const before = get().worklist;
  const step = before.steps.at(-1);
  const after = undo(before);
  if (after) setWorklist(after);
  send(async () => {
    if (step && get().refused.has(step)) return;
    try {
      await undoInCore(after !== null);
    } catch (failure) {
      reportFailure(failure);
      void openQueue();
    }
  });
};

/** Skipped pairs come back into the queue. */
export const bringBackSkipped = (): void =>
  send(async () => {
    try {
      const count = await answerOf(vouch.review.resetSkips());
      toast({ title: i18n.t('review.broughtBack', { count }) });
      void openQueue();
    } catch (failure) {
      reportFailure(failure);
    }
  });

/** The model's answer comes into sight or goes out of it. */
export const toggleHidden = (): void => set((review) => ({ seen: seenBy(review), hidden: !isHidden(review) }));

export const setMode = (mode: ReviewMode): void =>
  set((review) => ({ seen: seenBy(review), mode, shownAt: Date.now() }));

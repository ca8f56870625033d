/** The review as the window holds it: the queue, what was loaded of it, where one is, and what the core is still to hear. */
import { create } from 'zustand';
import type { QueueItem, QueueName, QueueOrder, QueueScope } from '../../main/contract/review.ts';
import type { VouchFailure } from '../../main/failure.ts';
import { nothingSelected, type Selection } from './selection.ts';
import { currentOf, emptyWorklist, openNear, type Step, type Worklist } from './worklist.ts';

export type ReviewView = 'queue' | 'try' | 'quality';
export type ReviewMode = 'focus' | 'grid';

export type Asked = Readonly<{ queue: QueueName; scope: QueueScope; order: QueueOrder }>;
export type Review = Asked &
  Readonly<{
    view: ReviewView;
    mode: ReviewMode;
    worklist: Worklist;
    /** How many pairs the queue held when it was opened; `atLeast`: or more. */
    total: number;
    atLeast: boolean;
    next: string | null;
    status: 'idle' | 'loading' | 'ready' | 'failed';
    failure: VouchFailure | null;
    /** Whether the model's answer is hidden; null: as the queue has it. */
    hidden: boolean | null;
    shownAt: number;
    note: string;
    writingNote: boolean;
    selection: Selection;
    /** Verdicts of this queue whose answer was in sight: a decision on one of them is not blind any more. */
    seen: ReadonlySet<string>;
    /** Counts the openings of a queue: a page that was asked for before the last of them is dropped. */
    opening: number;
    /** The next page on its way; one is asked for at a time. */
    loading: Promise<void> | null;
    /** Each call waits for the one before, so that undo takes back the right thing. */
    sent: Promise<unknown>;
    /** Steps that the core refused: it has nothing of them to take back. */
    refused: ReadonlySet<Step>;
  }>;

export const useReview = create<Review>(() => ({
  queue: 'review',
  scope: {},
  order: 'uncertain',
  view: 'queue',
  mode: 'focus',
  worklist: emptyWorklist,
  total: 0,
  atLeast: false,
  next: null,
  status: 'idle',
  failure: null,
  hidden: null,
  shownAt: 0,
  note: '',
  writingNote: false,
  selection: nothingSelected,
  seen: new Set(),
  opening: 0,
  loading: null,
  sent: Promise.resolve(),
  refused: new Set(),
}));

export const isHidden = ({ hidden, queue }: Pick<Review, 'hidden' | 'queue'>): boolean => hidden ?? queue === 'audit';

/** What one is looking at: the grid shows open items only. */
export const atHand = ({ mode, worklist }: Pick<Review, 'mode' | 'worklist'>): QueueItem | undefined =>
  mode === 'grid' ? openNear(worklist) : currentOf(worklist);

/** `seen`, with the verdicts whose answer is in sight now. */
export const seenBy = (review: Review): ReadonlySet<string> => {
  const { mode, worklist, seen } = review;
  if (isHidden(review)) return seen;
  const inSight = mode === 'grid' ? worklist.items : [currentOf(worklist)];
  const more = inSight.flatMap((item) => (item && !seen.has(item.verdictId) ? [item.verdictId] : []));
  return more.length > 0 ? new Set([...seen, ...more]) : seen;
};

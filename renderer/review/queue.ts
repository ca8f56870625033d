/** Opens a queue and loads it page by page, ahead of whoever goes through it. */
import type { VouchFailure } from '../../main/failure.ts';
import { answerOf, vouch } from '../data/call.ts';
import { nothingSelected } from './selection.ts';
import { type Asked, type Review, seenBy, useReview } from './state.ts';
import { append, currentOf, emptyWorklist, moveTo, type Worklist } from './worklist.ts';

const { setState: set, getState: get } = useReview;

const pageSize = 100;
/** As many pairs as one decision may be about. */
const mostAtOnce = 10_000;
/** So many items before the end of what is loaded, more is asked for. */
export const loadAhead = 40;

/** Whatever becomes the current item starts afresh. */
const fresh = () => ({ shownAt: Date.now(), note: '', writingNote: false });

const load = async (asked: Asked, cursor: string | null): Promise<void> => {
  const { opening, sent } = get();
  const isOver = () => opening !== get().opening;
  try {
    // What has been decided must not be asked again because the core has yet to hear of it.
    await sent;
    if (isOver()) return;
    const page = await answerOf(vouch.review.page({ ...asked, cursor, limit: pageSize }));
    if (isOver()) return;
    const first = cursor === null;
    set(({ worklist, total, atLeast }) => ({
      worklist: append(first ? emptyWorklist : worklist, page.items),
      next: page.next,
      status: 'ready',
      failure: null,
      ...(first ? { total: page.total, atLeast: page.atLeast, ...fresh() } : { total, atLeast }),
    }));
  } catch (failure) {
    if (!isOver()) set({ status: 'failed', failure: failure as VouchFailure });
  }
};

const askedOf = ({ queue, scope, order }: Review): Asked => ({ queue, scope, order });

export const loadMore = (): Promise<void> => {
  const { next, loading } = get();
  if (loading) return loading;
  if (next === null) return Promise.resolve();
  const page = load(askedOf(get()), next).finally(() => {
    if (get().loading === page) set({ loading: null });
  });
  set({ loading: page });
  return page;
};

/** Everything of the queue, up to what one decision may take. */
export const loadAll = async (): Promise<void> => {
  while (get().next !== null && get().status === 'ready' && get().worklist.items.length < mostAtOnce) await loadMore();
};

/** Begins with a queue anew; what is not named stays as it was. */
export const openQueue = (asked: Partial<Asked> = {}): Promise<void> => {
  const before = get();
  const isOther = asked.queue !== undefined && asked.queue !== before.queue;
  set({
    ...asked,
    view: 'queue',
    worklist: emptyWorklist,
    next: null,
    status: 'loading',
    selection: nothingSelected,
    opening: before.opening + 1,
    loading: null,
    ...(isOther ? { hidden: null, seen: new Set() } : { seen: seenBy(before) }),
  });
  return load(askedOf(get()), null);
};

/** The worklist as a step has left it. */
export const setWorklist = (worklist: Worklist): void => {
  const before = get();
  const moved = currentOf(worklist) !== currentOf(before.worklist);
  const seen = moved && before.mode === 'focus' ? seenBy(before) : before.seen;
  set({ worklist, seen, ...(moved && fresh()) });
  if (worklist.items.length - worklist.at < loadAhead) void loadMore();
};

export const goTo = (at: number): void => setWorklist(moveTo(get().worklist, at));

/** The item of this id becomes the current one. */
export const showItem = (verdictId: string): void => {
  const at = get().worklist.items.findIndex((item) => item.verdictId === verdictId);
  if (at >= 0) goTo(at);
};

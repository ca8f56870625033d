/** What can only be seen when the core is slow, or refuses: the order of calls, and what is dropped. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueItem, QueuePage } from '../../../main/contract/review.ts';

/** Calls that the window made, each answered by hand. */
type Call = Readonly<{ name: string; input: unknown; answer: (value: unknown) => void; refuse: () => void }>;
let calls: Call[] = [];
const method = (name: string) => (input: unknown) =>
  new Promise((resolve) => {
    calls.push({
      name,
      input,
      answer: (value) => resolve({ ok: true, value }),
      refuse: () => resolve({ ok: false, error: { code: 'not_found', params: {}, retryable: false } }),
    });
  });
const review = Object.fromEntries(['page', 'decide', 'undo', 'flag', 'resetSkips'].map((name) => [name, method(name)]));

type Modules = Readonly<{
  state: typeof import('../../../renderer/review/state.ts');
  queue: typeof import('../../../renderer/review/queue.ts');
  actions: typeof import('../../../renderer/review/actions.ts');
}>;
let window: Modules;

beforeAll(async () => {
  vi.stubGlobal('vouch', { review });
  vi.stubGlobal('navigator', { platform: 'Linux' });
  window = {
    state: await import('../../../renderer/review/state.ts'),
    queue: await import('../../../renderer/review/queue.ts'),
    actions: await import('../../../renderer/review/actions.ts'),
  };
});
beforeEach(() => {
  calls = [];
  const { useReview } = window.state;
  useReview.setState(useReview.getInitialState(), true);
});

/** Whatever waits for nothing but promises is done. */
const rest = () => new Promise((resolve) => setTimeout(resolve));
const names = () => calls.map(({ name }) => name);
const last = (name: string): Call => calls.findLast((call) => call.name === name)!;

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
const pageOf = (ids: readonly string[], next: string | null = null): QueuePage => ({
  items: ids.map(item),
  next,
  total: ids.length,
  atLeast: false,
});
const now = () => window.state.useReview.getState();
const ids = () => now().worklist.items.map(({ verdictId }) => verdictId);

const open = async (...shown: readonly string[]): Promise<void> => {
  void window.queue.openQueue();
  await rest();
  last('page').answer(pageOf(shown));
  await rest();
};

describe('a review', () => {
  it('holds a decision at once, and asks for a queue only when the core has heard of it', async () => {
    await open('a', 'b');
    window.actions.decideOn([item('a')], 'yes');
    expect(window.state.atHand(now())?.verdictId).toBe('b');
    void window.queue.openQueue();
    await rest();
    expect(names()).toEqual(['page', 'decide']);
    last('decide').answer(null);
    await rest();
    expect(names()).toEqual(['page', 'decide', 'page']);
  });

  it('drops what the core refuses, and does not ask it to take back what it never had', async () => {
    await open('a', 'b');
    window.actions.skip([item('a')]);
    window.actions.decideOn([item('b')], 'no');
    window.actions.undoLast();
    await rest();
    last('decide').answer(null);
    await rest();
    expect(names()).toEqual(['page', 'decide', 'decide']);
    last('decide').refuse();
    await rest();
    expect(names()).not.toContain('undo');
    expect([...now().worklist.decided.keys()]).toEqual(['a']);
    window.actions.undoLast();
    await rest();
    expect(names()).toContain('undo');
    expect([...now().worklist.decided.keys()]).toEqual([]);
  });

  it('shows the queue that was opened last, whichever page comes first', async () => {
    void window.queue.openQueue({ queue: 'flagged' });
    await rest();
    const flagged = last('page');
    void window.queue.openQueue({ queue: 'review' });
    await rest();
    last('page').answer(pageOf(['a']));
    await rest();
    flagged.answer(pageOf(['x', 'y']));
    await rest();
    expect([now().queue, now().status, ids()]).toEqual(['review', 'ready', ['a']]);
  });

  it('loads one page at a time, and again after each', async () => {
    void window.queue.openQueue();
    await rest();
    last('page').answer(pageOf(['a'], 'second'));
    await rest();
    void window.queue.loadMore();
    void window.queue.loadMore();
    await rest();
    expect(names()).toEqual(['page', 'page']);
    last('page').answer(pageOf(['b'], 'third'));
    await rest();
    void window.queue.loadMore();
    await rest();
    expect(calls.map(({ input }) => (input as { cursor: string | null }).cursor)).toEqual([null, 'second', 'third']);
    last('page').answer(pageOf(['b', 'c']));
    await rest();
    expect([ids(), now().loading]).toEqual([['a', 'b', 'c'], null]);
  });

  it('is blind only while the answer was never in sight', async () => {
    void window.queue.openQueue({ queue: 'audit' });
    await rest();
    last('page').answer(pageOf(['a', 'b', 'c']));
    await rest();
    const blind = async () => {
      await rest();
      const { input } = last('decide');
      last('decide').answer(null);
      return (input as { blind: boolean }).blind;
    };
    window.actions.decideOn([item('a')], 'yes');
    expect(await blind()).toBe(true);
    window.actions.toggleHidden();
    window.actions.toggleHidden();
    window.actions.decideOn([item('b')], 'yes');
    expect(await blind()).toBe(false);
    window.actions.decideOn([item('c')], 'yes');
    expect(await blind()).toBe(true);
  });
});

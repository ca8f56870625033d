/** The steps of the dispatcher, without processes: photos are taken in, batches start, results settle. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../main/contract/operation.ts';
import type { Judgement } from '../../../main/contract/seam.ts';
import {
  createDispatchState,
  type DispatchState,
  heartbeatOf,
  useMemory,
} from '../../../main/inference/host/dispatch-state.ts';
import { takeIn, workOf } from '../../../main/inference/host/job.ts';
import { expire, nextMoment, nextStart, startNext } from '../../../main/inference/host/schedule.ts';
import { type Ran, settle } from '../../../main/inference/host/settle.ts';
import type { LoadedInfo } from '../../../main/inference/protocol.ts';
import type { SampleResult } from '../../../main/inference/worker-protocol.ts';

const proof = { nodesOnDevice: 1, nodesInAll: 1, probeMs: 1, agreesWithCpu: true, maxDifference: 0 };
const device = { requested: 'cpu', used: 'cpu', index: 0, proof, fallbackReason: null, passedOver: [] } as const;
const infoOf = (adapter: Partial<LoadedInfo['adapter']>): LoadedInfo => ({
  device,
  precision: 'fp16',
  inputSize: 8,
  precisionReason: { code: 'asked', params: {} },
  runtime: '',
  graphs: 'original',
  threads: 2,
  lanes: 2,
  adapter: { kind: 'joint', version: '1', views: [], answers: false, ...adapter },
});

const open = (adapter: Partial<LoadedInfo['adapter']> = {}, size = 4, maxQueue = 10): DispatchState => {
  const state = createDispatchState({
    info: infoOf(adapter),
    input: { size: 8, maxBatch: 16 },
    setting: { mode: 'fixed', size },
    maxDelayMs: 8,
    limits: { slaCpuMs: 3500, slaGpuMs: 800, bulkMs: 100 },
    msPerSample: 1,
    maxQueue,
  });
  useMemory(state, 16);
  return state;
};

const judge = (...texts: readonly string[]): Operation => ({ kind: 'judge', pairs: texts.map((text) => ({ text })) });
const encode: Operation = { kind: 'encode', parts: [] };

const send = (state: DispatchState, job: number, operation: Operation, now = 0, deadlineAt: number | null = null) =>
  takeIn(
    state.queue,
    state.info,
    { job, delivery: { priority: 'bulk', client: '', deadlineAt, operation }, pixels: new Uint8Array(3) },
    now,
  );

const judgement = (yes: number): Judgement => ({
  p: { yes, no: 1 - yes, maybe: 0 },
  caps: [],
  reason: { code: 'model_score', params: {} },
});
const ran = (results: readonly SampleResult[], more: Partial<Ran> = {}): Ran => ({
  kind: 'ran',
  results,
  precision: 'fp16',
  runMs: 10,
  idleMs: 0,
  views: {},
  ...more,
});
const judged = (...yes: readonly number[]): readonly SampleResult[] =>
  yes.map((p) => ({ kind: 'judgement', judgement: judgement(p) }));

/** The next batch, which must be due. */
const next = (state: DispatchState, now: number) => {
  const batch = startNext(state, now);
  if (!batch) throw new Error('no batch is due');
  return batch;
};

describe('taking a photo in', () => {
  it('takes a joint pack’s photo apart into its pairs, premise and all', () => {
    const state = open();
    const pairs = [{ text: 'a dog', premise: 'in a park' }, { text: 'a cat' }];
    expect(send(state, 7, { kind: 'judge', pairs })).toEqual([]);
    expect(state.queue.size()).toBe(2);
    expect(workOf(next(state, 8).samples)).toEqual({ kind: 'judge', pairs });
  });

  it.each([
    ['evidence of a joint pack', {}, encode, 'a joint pack cannot encode'],
    ['pairs of a separable pack', { kind: 'separable' as const }, judge('a dog'), 'a separable pack cannot judge'],
    ['an answer where there is none', {}, { kind: 'ask' as const, question: 'why?' }, 'the pack answers no questions'],
    ['nothing at all', {}, judge(), 'no statement to judge'],
  ])('says at once that it cannot give %s', (_, adapter, operation, detail) => {
    const state = open(adapter);
    expect(send(state, 1, operation)).toMatchObject([{ kind: 'failed', job: 1, code: 'run_failed', detail }]);
    expect(state.queue.size()).toBe(0);
  });

  it('takes all of a photo in or nothing of it', () => {
    const state = open({ kind: 'separable' }, 4, 1);
    expect(send(state, 1, encode)).toEqual([]);
    expect(send(state, 2, encode)).toMatchObject([{ kind: 'failed', job: 2, code: 'queue_full' }]);
    expect(state.queue.size()).toBe(1);
  });

  it('keeps questions, pairs and evidence of other parts out of one another’s batches', () => {
    const state = open({ kind: 'separable', answers: true }, 8);
    send(state, 1, encode);
    send(state, 2, encode);
    send(state, 3, { kind: 'encode', parts: ['scene'] });
    send(state, 4, { kind: 'ask', question: 'what?' });
    send(state, 5, { kind: 'ask', question: 'why?' });
    const works = [next(state, 0), next(state, 0), next(state, 8)].map(({ samples }) => workOf(samples));
    expect(works).toEqual([
      encode,
      { kind: 'encode', parts: ['scene'] },
      { kind: 'ask', questions: ['what?', 'why?'] },
    ]);
  });
});

describe('starting batches', () => {
  it('starts a full batch at once, a partial one when its photo has waited', () => {
    const state = open();
    send(state, 1, judge('a', 'b', 'c', 'd', 'e'), 100);
    expect(next(state, 100).samples).toHaveLength(4);
    expect(nextStart(state)).toBe(108);
    expect(startNext(state, 107)).toBeNull();
    expect(nextMoment(state, [], true)).toBe(108);
    expect(next(state, 108).samples).toHaveLength(1);
    expect(nextMoment(state, [], true)).toBe(Number.POSITIVE_INFINITY);
  });

  it('gives up what waited past its deadline, and what runs for too long, but once', () => {
    const state = open();
    send(state, 1, judge('a', 'b', 'c', 'd'), 0);
    send(state, 2, judge('e', 'f'), 0, 50);
    const running = [next(state, 0)];
    expect(nextMoment(state, running, false)).toBe(50);
    expect(expire(state, running, 50)).toMatchObject([{ job: 2, code: 'timed_out', limitMs: 50 }]);
    expect(state.queue.size()).toBe(0);
    expect(nextMoment(state, running, false)).toBe(100);
    expect(expire(state, running, 100)).toMatchObject([{ job: 1, code: 'timed_out', limitMs: 100 }]);
    expect(expire(state, running, 200)).toEqual([]);
    expect(settle(state, running[0]!, ran(judged(1, 1, 1, 1)), 200)).toMatchObject([{ kind: 'judged', late: true }]);
  });
});

describe('settling a batch', () => {
  it('answers a photo when its last pair has come back, in the order asked, and counts each of its batches once', () => {
    const state = open();
    send(state, 1, judge('a', 'b', 'c'), 0);
    send(state, 2, judge('d', 'e', 'f'), 0);
    const [first, second] = [next(state, 5), next(state, 9)];
    // The second batch is back first.
    expect(settle(state, second, ran(judged(0.5, 0.6), { runMs: 3 }), 20)).toEqual([]);
    const replies = settle(state, first, ran(judged(0.1, 0.2, 0.3, 0.4), { runMs: 10 }), 30);
    expect(replies).toMatchObject([
      { kind: 'judged', job: 1, timing: { queueMs: 5, runMs: 10, batch: 4 }, late: false },
      { kind: 'judged', job: 2, timing: { queueMs: 5, runMs: 13, batch: 4 } },
    ]);
    const yes = replies.map((reply) => reply.kind === 'judged' && reply.judgements.map(({ p }) => p.yes));
    expect(yes).toEqual([
      [0.1, 0.2, 0.3],
      [0.4, 0.5, 0.6],
    ]);
    expect(state.totals).toEqual({ batches: 2, samples: 6, largestBatch: 4, busyMs: 13, gapMs: 0, fellBack: 0 });
  });

  it('fails a photo once, with whatever of it still waits', () => {
    const state = open();
    send(state, 1, judge('a', 'b', 'c', 'd', 'e', 'f'), 0);
    const failed: SampleResult = { kind: 'failed', code: 'run_failed', detail: 'why' };
    const [first] = [next(state, 0)];
    expect(settle(state, first!, ran([failed, ...judged(1, 1), failed]), 9)).toMatchObject([
      { kind: 'failed', job: 1, code: 'run_failed' },
    ]);
    expect(state.queue.size()).toBe(0);
  });

  it('tells the precision that a photo was judged in, and how many fell back', () => {
    const state = open({ kind: 'separable' }, 1);
    send(state, 1, encode);
    const evidence: SampleResult = { kind: 'evidence', evidence: new Uint8Array(1) };
    expect(settle(state, next(state, 0), ran([evidence], { precision: 'fp32' }), 9)).toMatchObject([
      { kind: 'encoded', precision: 'fp32' },
    ]);
    expect(state.totals.fellBack).toBe(1);
  });

  it('says in the heartbeat what is not told of yet, so that nobody takes it for lost', () => {
    const state = open();
    send(state, 1, judge('a', 'b', 'c', 'd', 'e'), 0);
    const running = [next(state, 0)];
    expect(heartbeatOf(state, running, 0, 30, 99)).toMatchObject({
      queued: 1,
      running: 4,
      runningMs: 30,
      limitMs: 100,
    });
    expect(heartbeatOf(state, [], 4, 30, 99)).toMatchObject({ running: 4, runningMs: 0, rssBytes: 99 });
  });
});

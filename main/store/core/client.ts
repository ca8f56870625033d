/** The store as the core sees it: asynchronous operations, answered in the order they were asked. */
import { Worker } from 'node:worker_threads';
import { type VouchError, vouchError } from '../../contract/errors.ts';
import { VouchFailure } from '../../failure.ts';
import { storeErrorOf } from '../errors.ts';
import type { StoreReply, StoreRequest, WorkerSetup } from '../protocol.ts';
import type { OpenOptions, OpenResult, Store } from '../types.ts';

type Pending = Readonly<{
  request: string;
  askedAt: number;
  resolve: (value: unknown) => void;
  reject: (error: VouchFailure) => void;
}>;

const concerns = [
  'photos',
  'quarantine',
  'statements',
  'hypotheses',
  'verdicts',
  'results',
  'queues',
  'quality',
  'reviews',
  'flags',
  'tags',
  'folders',
  'runs',
  'settings',
  'upkeep',
] as const;

/** Opens the store of a home in a worker thread of its own. */
export const openStore = ({ home, mode, workerUrl, onRequest }: OpenOptions): Promise<OpenResult> => {
  const setup: WorkerSetup = { home, mode };
  const ended = vouchError('store_closed', { path: home });
  const worker = new Worker(workerUrl, { workerData: setup, name: 'store' });
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let closed: VouchError | null = null;

  const send = (request: StoreRequest): void => worker.postMessage(request);

  const call = (concern: string, operation: string, args: readonly unknown[]): Promise<unknown> => {
    const stopped = closed;
    if (stopped) return Promise.reject(new VouchFailure(stopped));
    return new Promise((resolve, reject) => {
      const id = nextId++;
      pending.set(id, { request: `${concern}.${operation}`, askedAt: performance.now(), resolve, reject });
      send({ kind: 'call', id, concern, operation, args });
    });
  };

  const settle = (message: Extract<StoreReply, { kind: 'answer' | 'failure' }>): void => {
    const waiting = pending.get(message.id);
    if (!waiting) return;
    pending.delete(message.id);
    const ok = message.kind === 'answer';
    const waitedMs = Math.max(0, performance.now() - waiting.askedAt - message.ranMs);
    onRequest?.({ request: waiting.request, waitedMs, ranMs: message.ranMs, ok });
    if (ok) waiting.resolve(message.value);
    else waiting.reject(new VouchFailure(message.error));
  };

  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = (error: VouchError): void => {
    closed ??= error;
    for (const { reject } of pending.values()) reject(new VouchFailure(error));
    pending.clear();
  };

  const close = async (): Promise<void> => {
    if (!closed) {
      closed = ended;
      send({ kind: 'close' });
    }
    await exited;
  };

  const concernOf = (concern: string): unknown =>
    new Proxy(Object.freeze({}), {
      get:
        (_, operation) =>
        (...args: readonly unknown[]) =>
          call(concern, String(operation), args),
    });

  return new Promise((resolve) => {
    worker.on('message', (message: StoreReply) => {
      if (message.kind === 'opened') {
        const operations = Object.fromEntries(concerns.map((concern) => [concern, concernOf(concern)]));
        resolve({ ok: true, store: { ...operations, mode, file: message.file, close } as Store });
      } else if (message.kind === 'refused') {
        resolve({ ok: false, error: message.error });
      } else {
        settle(message);
      }
    });
    worker.once('error', (thrown) => {
      stop(storeErrorOf(thrown, home));
      resolve({ ok: false, error: storeErrorOf(thrown, home) });
    });
    worker.once('exit', () => {
      stop(ended);
      resolve({ ok: false, error: ended });
    });
  });
};

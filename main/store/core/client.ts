/** The store as the core sees it: asynchronous operations, answered in the order they were asked. */
import { Worker } from 'node:worker_threads';
import { StoreFailure, storeError, toStoreError } from '../errors.ts';
import type { StoreReply, StoreRequest, WorkerSetup } from '../protocol.ts';
import type { OpenOptions, OpenResult, Store, StoreError } from '../types.ts';

type Pending = Readonly<{
  request: string;
  askedAt: number;
  resolve: (value: unknown) => void;
  reject: (error: StoreFailure) => void;
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
  const worker = new Worker(workerUrl, { workerData: setup, name: 'store' });
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let closed: StoreError | null = null;

  const send = (request: StoreRequest): void => worker.postMessage(request);

  const call = (concern: string, operation: string, args: readonly unknown[]): Promise<unknown> => {
    const stopped = closed;
    if (stopped) return Promise.reject(new StoreFailure(stopped));
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
    else waiting.reject(new StoreFailure(message.error));
  };

  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = (error: StoreError): void => {
    closed ??= error;
    for (const { reject } of pending.values()) reject(new StoreFailure(error));
    pending.clear();
  };

  const close = async (): Promise<void> => {
    if (!closed) {
      closed = storeError('store_closed');
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
      stop(toStoreError(thrown));
      resolve({ ok: false, error: toStoreError(thrown) });
    });
    worker.once('exit', () => {
      stop(storeError('store_closed'));
      resolve({ ok: false, error: storeError('store_closed') });
    });
  });
};

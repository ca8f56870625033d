/** The store's worker: one request at a time, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import { storeError, toStoreError } from '../errors.ts';
import type { StoreReply, StoreRequest, WorkerSetup } from '../protocol.ts';
import { openStoreSession, type StoreSession } from './session.ts';

const port = parentPort;
if (!port) throw new Error('the store runs in a worker thread');
const { home, mode } = workerData as WorkerSetup;
const reply = (message: StoreReply): void => port.postMessage(message);

type Operation = (...args: readonly unknown[]) => unknown;

const run = async (session: StoreSession, request: Extract<StoreRequest, { kind: 'call' }>): Promise<void> => {
  const started = performance.now();
  const { id, concern, operation } = request;
  try {
    const concerns = session.operations() as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    const call = concerns[concern]?.[operation];
    if (!call) throw new Error(`no operation ${concern}.${operation}`);
    const value = await call(...request.args);
    reply({ kind: 'answer', id, ranMs: performance.now() - started, value });
  } catch (error) {
    const found = toStoreError(error);
    const isReadOnly = mode === 'read' && found.code === 'not_writable';
    const failure = isReadOnly ? storeError('read_only', { operation: `${concern}.${operation}` }) : found;
    reply({ kind: 'failure', id, ranMs: performance.now() - started, error: failure });
  }
};

try {
  const session = await openStoreSession(home, mode);
  let turn: Promise<void> = Promise.resolve();
  port.on('message', (request: StoreRequest) => {
    turn = turn.then(() => {
      if (request.kind === 'call') return run(session, request);
      session.close();
      port.close();
    });
  });
  reply({ kind: 'opened', file: session.file });
} catch (error) {
  reply({ kind: 'refused', error: toStoreError(error) });
}

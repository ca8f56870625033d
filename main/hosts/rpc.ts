/**
 * Requests to whatever runs elsewhere, a worker thread or a host. Each gets one answer or one fault; on its way it may
 * tell of its progress, and whoever asked may call it off. Buffers can be handed over instead of copied.
 */
import type { Worker } from 'node:worker_threads';

/**
 * What the other end can be asked, by name: `(asked) => answer`, or `(asked, tell: (told) => void) => answer` for what
 * tells something on the way. All of them are cloned where nothing is handed over.
 */
export type Calls = Readonly<Record<string, (asked: never, tell: never) => unknown>>;
type Name<C extends Calls> = keyof C & string;
type Asked<C extends Calls, K extends Name<C>> = Parameters<C[K]>[0];
type Answer<C extends Calls, K extends Name<C>> = ReturnType<C[K]>;
type Told<C extends Calls, K extends Name<C>> = Parameters<C[K]> extends [unknown, (told: infer T) => void] ? T : never;
type Buffers = readonly ArrayBuffer[];

export type RpcRequest =
  | Readonly<{ kind: 'ask'; id: number; name: string; asked: unknown }>
  | Readonly<{ kind: 'cancel'; id: number }>
  /** The `nth` that was told has been dealt with. */
  | Readonly<{ kind: 'heard'; id: number; nth: number }>;

type RpcReply =
  | Readonly<{ kind: 'told'; id: number; nth: number; value: unknown }>
  | Readonly<{ kind: 'answer'; id: number; ranMs: number; value: unknown }>
  | Readonly<{ kind: 'fault'; id: number; ranMs: number; fault: unknown }>;

type AskOptions<T> = Readonly<{
  /** Asks the other end to stop. It still answers, with what it has or with a fault of its choice. */
  signal?: AbortSignal | undefined;
  /** Hears what is told. Where it fails, the request is called off, and rejects with that error once it has ended. */
  onTold?: ((told: T) => unknown) | undefined;
  transfer?: Buffers;
}>;

export type Asker<C extends Calls> = Readonly<{
  ask: <K extends Name<C>>(name: K, asked: Asked<C, K>, options?: AskOptions<Told<C, K>>) => Promise<Answer<C, K>>;
  /** Takes in what the other end sends. */
  hear: (reply: RpcReply) => void;
  /** The other end has gone: all requests reject with this error, those to come too. */
  lose: (error: Error) => void;
}>;

/** How long a request took where it was answered, and how long it waited and travelled. */
export type RpcTiming = Readonly<{ name: string; waitedMs: number; ranMs: number; ok: boolean }>;

export type AskerPorts<Fault> = Readonly<{
  post: (request: RpcRequest, transfer: Buffers) => void;
  toError: (fault: Fault) => Error;
  onAnswered?: ((timing: RpcTiming) => void) | undefined;
}>;

type Pending = Readonly<{
  name: string;
  askedAt: number;
  tell: (value: unknown, nth: number) => void;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}>;

export const createAsker = <C extends Calls, Fault>(ports: AskerPorts<Fault>): Asker<C> => {
  const { post, toError, onAnswered } = ports;
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let lost: Error | undefined;

  const ask = (name: string, asked: unknown, options: AskOptions<unknown>): Promise<unknown> => {
    if (lost) return Promise.reject(lost);
    const { signal, onTold, transfer = [] } = options;
    lastId += 1;
    const id = lastId;
    const cancel = () => pending.has(id) && post({ kind: 'cancel', id }, []);
    let failed: Readonly<{ error: unknown }> | undefined;
    const tell = async (value: unknown, nth: number): Promise<void> => {
      try {
        await onTold?.(value);
      } catch (error) {
        failed ??= { error };
        cancel();
      }
      if (!lost) post({ kind: 'heard', id, nth }, []);
    };
    return new Promise((resolve, reject) => {
      post({ kind: 'ask', id, name, asked }, transfer);
      const settle = (done: () => void) => {
        signal?.removeEventListener('abort', cancel);
        done();
      };
      pending.set(id, {
        name,
        askedAt: performance.now(),
        tell,
        resolve: (value) => settle(() => (failed ? reject(failed.error) : resolve(value))),
        reject: (error) => settle(() => reject(failed ? failed.error : error)),
      });
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
  };

  return {
    ask: (name, asked, options = {}) => ask(name, asked, options as AskOptions<unknown>) as Promise<never>,
    hear(reply) {
      const waiting = pending.get(reply.id);
      if (!waiting) return;
      if (reply.kind === 'told') return waiting.tell(reply.value, reply.nth);
      pending.delete(reply.id);
      const { name, askedAt } = waiting;
      const { ranMs } = reply;
      const waitedMs = Math.max(0, performance.now() - askedAt - ranMs);
      onAnswered?.({ name, waitedMs, ranMs, ok: reply.kind === 'answer' });
      if (reply.kind === 'answer') waiting.resolve(reply.value);
      else waiting.reject(toError(reply.fault as Fault));
    },
    lose(error) {
      lost ??= error;
      const all = [...pending.values()];
      pending.clear();
      for (const { reject } of all) reject(lost);
    },
  };
};

/** `lost`: what a thread's end means to those who wait; `thrown` is what it died of, if anything. */
export type ThreadPorts<Fault> = Omit<AskerPorts<Fault>, 'post'> & Readonly<{ lost: (thrown?: unknown) => Error }>;

export const askThread = <C extends Calls, Fault>(worker: Worker, ports: ThreadPorts<Fault>): Asker<C>['ask'] => {
  const { lost, ...rest } = ports;
  const asker = createAsker<C, Fault>({ ...rest, post: (request, transfer) => worker.postMessage(request, transfer) });
  worker.on('message', asker.hear);
  worker.once('error', (thrown) => asker.lose(lost(thrown)));
  worker.once('exit', () => asker.lose(lost()));
  return asker.ask;
};

/** What a handler has at hand beside what it was asked. */
export type Call<T = never> = Readonly<{
  /** Aborts when whoever asked calls it off. */
  signal: AbortSignal;
  /** Resolves when it has been dealt with at the other end, well or not. */
  tell: (told: T, transfer?: Buffers) => Promise<void>;
  /** These buffers go with the answer. */
  handOver: (buffers: Buffers) => void;
}>;

export type Handlers<C extends Calls> = {
  readonly [K in Name<C>]: (asked: Asked<C, K>, call: Call<Told<C, K>>) => Answer<C, K> | Promise<Answer<C, K>>;
};

/** The line as the answering end has it; a thread's `parentPort` is one. */
export type AnswerPort = Readonly<{
  postMessage: (reply: RpcReply, transfer?: Buffers) => void;
  on: (event: 'message', listener: (request: RpcRequest) => void) => unknown;
}>;

export type AnswerPorts<C extends Calls> = Readonly<{
  /** undefined where there is none of that name. */
  handlerOf: <K extends Name<C>>(name: K) => Handlers<C>[K] | undefined;
  toFault: (thrown: unknown) => unknown;
  /** One request at a time, in the order they came; otherwise each starts as it comes. */
  inOrder?: boolean;
}>;

type Running = Readonly<{ abort: AbortController; heard: Map<number, () => void> }>;

export const answerCalls = <C extends Calls>(port: AnswerPort, ports: AnswerPorts<C>): void => {
  const { handlerOf, toFault, inOrder = false } = ports;
  const running = new Map<number, Running>();
  let turn: Promise<void> = Promise.resolve();

  const run = async (
    { id, name, asked }: Extract<RpcRequest, { kind: 'ask' }>,
    { abort, heard }: Running,
  ): Promise<void> => {
    const started = performance.now();
    const ranMs = () => performance.now() - started;
    let handedOver: Buffers = [];
    let last = 0;
    const call: Call<unknown> = {
      signal: abort.signal,
      tell: (value, transfer = []) =>
        new Promise((resolve) => {
          last += 1;
          heard.set(last, resolve);
          port.postMessage({ kind: 'told', id, nth: last, value }, transfer);
        }),
      handOver: (buffers) => {
        handedOver = buffers;
      },
    };
    try {
      const handler = handlerOf(name as Name<C>);
      if (!handler) throw new Error(`nobody answers to ${name}`);
      const value = await handler(asked as never, call);
      port.postMessage({ kind: 'answer', id, ranMs: ranMs(), value }, handedOver);
    } catch (thrown) {
      port.postMessage({ kind: 'fault', id, ranMs: ranMs(), fault: toFault(thrown) });
    } finally {
      running.delete(id);
    }
  };

  port.on('message', (request) => {
    if (request.kind === 'ask') {
      const entry: Running = { abort: new AbortController(), heard: new Map() };
      running.set(request.id, entry);
      if (inOrder) turn = turn.then(() => run(request, entry));
      else void run(request, entry);
    } else if (request.kind === 'cancel') {
      running.get(request.id)?.abort.abort();
    } else {
      const heard = running.get(request.id)?.heard;
      heard?.get(request.nth)?.();
      heard?.delete(request.nth);
    }
  });
};

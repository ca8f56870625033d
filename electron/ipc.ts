/** Every channel of the API map: who asks is checked, then what is asked, then the handler answers with a Result. */
import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent } from 'electron/main';
import type { ZodType } from 'zod';
import { api, type CallContext, type Handlers } from '../main/contract/api.ts';
import { type Channel, cancelChannel } from '../main/contract/channels.ts';
import { type ErrorCode, type ErrorParams, type VouchError, vouchError } from '../main/contract/errors.ts';
import type { Result } from '../main/contract/result.ts';

type Sender = Pick<IpcMainInvokeEvent | IpcMainEvent, 'senderFrame' | 'sender'>;
/** Whether a call came from the main frame of a window of ours, showing our own page. */
export type IsOurs = (sender: Sender) => boolean;
/** A handler without its types: `api` says what goes in, `Handlers` what comes out. */
type Handler = (input: unknown, context: CallContext) => Promise<unknown>;
/** What a failure of this channel means to a person. */
export type Explain = (channel: Channel, thrown: unknown) => VouchError;

const fail = <C extends ErrorCode>(code: C, params: ErrorParams<C>): Result<never> => ({
  ok: false,
  error: vouchError(code, params) as VouchError,
});

/** Checks the input, runs the handler, and turns whatever goes wrong into data. */
export const answer = async (
  channel: Channel,
  schema: ZodType,
  handler: Handler,
  input: unknown,
  signal: AbortSignal,
  explain: Explain,
): Promise<Result<unknown>> => {
  const checked = schema.safeParse(input);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const params = { channel, path: issue?.path.join('.') ?? '', problem: issue?.message ?? 'not valid' };
    return fail('invalid_input', params);
  }
  try {
    const value = await handler(checked.data, { signal });
    return signal.aborted ? fail('cancelled', {}) : { ok: true, value };
  } catch (cause) {
    if (signal.aborted) return fail('cancelled', {});
    return { ok: false, error: explain(channel, cause) };
  }
};

/** Registers all channels; `handlers` has one for each, which the compiler sees to. */
export const registerChannels = (ipc: IpcMain, handlers: Handlers, isOurs: IsOurs, explain: Explain): void => {
  /** Calls in progress that can be cancelled, by window and request id. */
  const running = new Map<string, AbortController>();

  for (const [area, methods] of Object.entries(api)) {
    for (const [name, { input: schema }] of Object.entries(methods)) {
      const channel = `${area}.${name}` as Channel;
      const handler = (handlers as Readonly<Record<string, Readonly<Record<string, Handler>>>>)[area]![name]!;
      ipc.handle(channel, async (event, input: unknown, requestId: unknown) => {
        if (!isOurs(event)) return fail('forbidden_sender', { channel });
        const key = typeof requestId === 'string' ? `${event.sender.id} ${requestId}` : undefined;
        const controller = new AbortController();
        if (key) running.set(key, controller);
        try {
          return await answer(channel, schema, handler, input, controller.signal, explain);
        } finally {
          if (key && running.get(key) === controller) running.delete(key);
        }
      });
    }
  }

  ipc.on(cancelChannel, (event, requestId: unknown) => {
    if (isOurs(event) && typeof requestId === 'string') running.get(`${event.sender.id} ${requestId}`)?.abort();
  });
};

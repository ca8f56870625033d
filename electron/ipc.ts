/** Every channel of the API map: who asks is checked, then what is asked, then the handler answers with a Result. */
import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent } from 'electron/main';
import type { ZodType } from 'zod';
import { toApiError } from '../main/app/errors.ts';
import { api, type CallContext, type Handlers } from '../main/contract/api.ts';
import { type Channel, cancelChannel } from '../main/contract/channels.ts';
import type { ApiError, Result } from '../main/contract/result.ts';

type Sender = Pick<IpcMainInvokeEvent | IpcMainEvent, 'senderFrame' | 'sender'>;
/** Whether a call came from the main frame of a window of ours, showing our own page. */
export type IsOurs = (sender: Sender) => boolean;
/** A handler without its types: `api` says what goes in, `Handlers` what comes out. */
type Handler = (input: unknown, context: CallContext) => Promise<unknown>;
export type LogFailure = (channel: Channel, error: ApiError, cause: unknown) => void;

const fail = (error: ApiError): Result<never> => ({ ok: false, error });

/** Checks the input, runs the handler, and turns whatever goes wrong into data. */
export const answer = async (
  channel: Channel,
  schema: ZodType,
  handler: Handler,
  input: unknown,
  signal: AbortSignal,
  log: LogFailure,
): Promise<Result<unknown>> => {
  const checked = schema.safeParse(input);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const params = { channel, path: issue?.path.join('.') ?? '', problem: issue?.message ?? 'not valid' };
    return fail({ code: 'invalid_input', params, retryable: false });
  }
  try {
    const value = await handler(checked.data, { signal });
    return signal.aborted ? fail({ code: 'cancelled', params: {}, retryable: true }) : { ok: true, value };
  } catch (cause) {
    if (signal.aborted) return fail({ code: 'cancelled', params: {}, retryable: true });
    const error = toApiError(cause);
    log(channel, error, cause);
    return fail(error);
  }
};

/** Registers all channels; `handlers` has one for each, which the compiler sees to. */
export const registerChannels = (ipc: IpcMain, handlers: Handlers, isOurs: IsOurs, log: LogFailure): void => {
  /** Calls in progress that can be cancelled, by window and request id. */
  const running = new Map<string, AbortController>();

  for (const [area, methods] of Object.entries(api)) {
    for (const [name, { input: schema }] of Object.entries(methods)) {
      const channel = `${area}.${name}` as Channel;
      const handler = (handlers as Readonly<Record<string, Readonly<Record<string, Handler>>>>)[area]![name]!;
      ipc.handle(channel, async (event, input: unknown, requestId: unknown) => {
        if (!isOurs(event)) return fail({ code: 'forbidden_sender', params: { channel }, retryable: false });
        const key = typeof requestId === 'string' ? `${event.sender.id} ${requestId}` : undefined;
        const controller = new AbortController();
        if (key) running.set(key, controller);
        try {
          return await answer(channel, schema, handler, input, controller.signal, log);
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

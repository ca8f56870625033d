/** How a call to the engine ends where there is nothing to show: errors that stand for an outcome, put as one. */

import { KilledFromOutside, KillsHost, TooManyTries } from '../../hosts/isolation.ts';
import { HostUnavailable } from '../../hosts/supervisor.ts';
import type { Failure } from '../../images/protocol.ts';
import type { NotDone, NotJudgeable } from './engine-types.ts';

export const quarantine = ({ reason, retryable }: Omit<Failure, 'ok'>): NotJudgeable => ({
  ok: false,
  kind: 'quarantine',
  reason,
  retryable,
});
export const inferenceFailed = (error: string): NotJudgeable =>
  quarantine({ reason: { code: 'inference_failed', params: { error } }, retryable: true });
export const notDone = (code: NotDone['code'], detail = ''): NotDone => ({ ok: false, kind: 'not_done', code, detail });

/** Why a signal ended a photo: its time was over, or nobody wants it any more. */
const endedBy = ({ reason }: AbortSignal): NotDone =>
  reason instanceof DOMException && reason.name === 'TimeoutError'
    ? notDone('timed_out', 'while waiting')
    : notDone('cancelled');

/** Any other error is a defect and is thrown on. */
export const outcomeOf = (error: unknown, signal?: AbortSignal): NotJudgeable | NotDone => {
  if (error instanceof KillsHost) {
    return quarantine({
      reason: { code: 'kills_host', params: { host: 'inference', times: error.times } },
      retryable: false,
    });
  }
  if (error instanceof KilledFromOutside) return notDone('host_killed', error.message);
  if (error instanceof TooManyTries) return inferenceFailed(error.message);
  if (error instanceof HostUnavailable) return notDone(error.stopped ? 'stopped' : 'engine_down', error.message);
  if (signal?.aborted) return endedBy(signal);
  throw error;
};

/** The work's result, or how the signal ended it if that comes first; then `afterwards` gets the result, null for none. */
export const unlessEnded = <T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  afterwards: (result: T | null) => void,
): Promise<T | NotDone> =>
  signal
    ? new Promise((resolve, reject) => {
        let ended = false;
        const end = () => {
          ended = true;
          resolve(endedBy(signal));
        };
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
        work
          .then(
            (result) => (ended ? afterwards(result) : resolve(result)),
            (error) => (ended ? afterwards(null) : reject(error)),
          )
          .finally(() => signal.removeEventListener('abort', end));
      })
    : work;

/** The host's end of its line to the core, the same under child_process and under Electron's utilityProcess. */
import { constants, getPriority, setPriority } from 'node:os';
import type { HostPriority } from '../contract/settings.ts';

type ParentPort = Readonly<{
  postMessage: (message: unknown) => void;
  on: (event: 'message', listener: (event: Readonly<{ data: unknown }>) => void) => void;
}>;

export type HostPort<Request, Reply> = Readonly<{
  reply: (reply: Reply) => void;
  onRequest: (listener: (request: Request) => void) => void;
}>;

/** How a host stands beside other programs; a host takes it at its start, so that every thread of it has it. */
export const priorityVariable = 'VOUCH_HOST_PRIORITY';
const niceness: Readonly<Record<HostPriority, number>> = {
  normal: constants.priority.PRIORITY_NORMAL,
  below_normal: constants.priority.PRIORITY_BELOW_NORMAL,
  low: constants.priority.PRIORITY_LOW,
};
const takePriority = (): void => {
  const wanted = niceness[process.env[priorityVariable] as HostPriority] ?? niceness.normal;
  try {
    // Never back up: whoever started us with less had a reason, and most systems refuse it.
    if (wanted > getPriority()) setPriority(wanted);
  } catch {
    // Not allowed here: it judges all the same.
  }
};

/** A host whose core has gone has nothing to live for: it exits when the line breaks. */
export const openHostPort = <Request, Reply>(): HostPort<Request, Reply> => {
  takePriority();
  const parentPort = (process as unknown as Readonly<{ parentPort?: ParentPort }>).parentPort;
  if (parentPort) {
    return {
      reply: (reply) => parentPort.postMessage(reply),
      onRequest: (listener) => parentPort.on('message', (event) => listener(event.data as Request)),
    };
  }
  if (!process.send) throw new Error('a host process must be started by the core');
  process.once('disconnect', () => process.exit(0));
  return {
    // A send that fails means that the core has gone; `disconnect` ends us then.
    reply: (reply) => process.send?.(reply, undefined, undefined, () => undefined),
    onRequest: (listener) => process.on('message', (message) => listener(message as Request)),
  };
};

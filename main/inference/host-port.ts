/** The host's end of its line to the core, the same under child_process and under Electron's utilityProcess. */

type ParentPort = Readonly<{
  postMessage: (message: unknown) => void;
  on: (event: 'message', listener: (event: Readonly<{ data: unknown }>) => void) => void;
}>;

export type HostPort<Request, Reply> = Readonly<{
  reply: (reply: Reply) => void;
  onRequest: (listener: (request: Request) => void) => void;
}>;

/** A host whose core has gone has nothing to live for: it exits when the line breaks. */
export const openHostPort = <Request, Reply>(): HostPort<Request, Reply> => {
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

/** The image host's ends of the sockets to inference hosts, each opened when the first photo goes there. */
import { createConnection, type Socket } from 'node:net';
import { writeFrame } from '../../hosts/frames.ts';
import type { HelloHeader, PixelAddress, PixelHeader } from '../protocol.ts';
import { PhotoError } from './failure.ts';

export type PixelLinks = Readonly<{
  /** Resolves once the views have left this process; throws a retryable PhotoError when the socket is broken. */
  send: (to: PixelAddress, header: PixelHeader, views: readonly Uint8Array[]) => Promise<void>;
}>;

type PixelLink = Readonly<{ send: (header: PixelHeader, views: readonly Uint8Array[]) => Promise<void> }>;

const broken = (error: unknown): PhotoError =>
  new PhotoError(
    { code: 'inference_failed', params: { error: `no line to the inference host: ${String(error)}` } },
    true,
  );

/** Opens the socket and says who we are; frames wait for it. A socket that breaks stays broken. */
const openPixelLink = ({ socket: path, token }: PixelAddress, onClosed: () => void): PixelLink => {
  const socket: Socket = createConnection(path);
  let lost: unknown;
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('connect', () => {
      const hello: HelloHeader = { token };
      writeFrame(socket, hello, []).then(resolve, reject);
    });
    socket.on('error', (error) => {
      lost = error;
      reject(error);
    });
    socket.once('close', () => {
      lost ??= new Error('closed');
      reject(lost);
      onClosed();
    });
  });
  opened.catch(() => undefined);
  socket.resume();
  return {
    send: async (header, views) => {
      try {
        await opened;
        if (lost) throw lost;
        await writeFrame(socket, header, views);
      } catch (error) {
        throw broken(error instanceof Error ? error.message : error);
      }
    },
  };
};

/** Each start of an inference host has an address of its own; when it ends, it closes the socket and is forgotten here. */
export const openPixelLinks = (): PixelLinks => {
  const links = new Map<string, PixelLink>();
  const linkTo = (address: PixelAddress): PixelLink => {
    const known = links.get(address.socket);
    if (known) return known;
    const link = openPixelLink(address, () => {
      if (links.get(address.socket) === link) links.delete(address.socket);
    });
    links.set(address.socket, link);
    return link;
  };
  return { send: (to, header, views) => linkTo(to).send(header, views) };
};

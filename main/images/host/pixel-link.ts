/** The image host's end of the socket to the inference host. */
import { createConnection, type Socket } from 'node:net';
import { writeFrame } from '../../hosts/frames.ts';
import type { HelloHeader, PixelHeader } from '../protocol.ts';
import { PhotoError } from './failure.ts';

export type PixelLink = Readonly<{
  /** Resolves once the views have left this process; throws a retryable PhotoError when the line is broken. */
  send: (header: PixelHeader, views: readonly Uint8Array[]) => Promise<void>;
  /** Lets what is being written leave first. */
  close: () => void;
}>;

const broken = (error: unknown): PhotoError =>
  new PhotoError(
    { code: 'inference_failed', params: { error: `no line to the inference host: ${String(error)}` } },
    true,
  );

/** Opens the line and says who we are; frames wait for it. A line that breaks stays broken. */
export const openPixelLink = (path: string, token: string): PixelLink => {
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
    close: () => void socket.end(),
  };
};

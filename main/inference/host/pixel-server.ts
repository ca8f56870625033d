/** Listens for image hosts on the local socket; whoever does not know the token or breaks the rules is dropped. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import type { Operation, Pair } from '../../contract/operation.ts';
import { priorities } from '../../contract/priority.ts';
import { frameReader } from '../../hosts/frames.ts';

const helloSchema = z.strictObject({ token: z.string() });
const pairSchema: z.ZodType<Pair> = z.strictObject({ text: z.string(), premise: z.string().exactOptional() });
const operationSchema: z.ZodType<Operation> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('encode'), parts: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('judge'), pairs: z.array(pairSchema) }),
  z.strictObject({ kind: z.literal('ask'), question: z.string() }),
]);
const headerSchema = z.strictObject({
  job: z.int(),
  delivery: z.strictObject({
    priority: z.enum(priorities),
    client: z.string(),
    deadlineAt: z.number().nullable(),
    operation: operationSchema,
  }),
});
export type Pixels = z.infer<typeof headerSchema> & Readonly<{ pixels: Uint8Array }>;

const helloWithinMs = 5000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export type PixelServerOptions = Readonly<{
  path: string;
  token: string;
  /** Bytes that one photo's pixels must have. */
  payloadBytes: () => number;
  onPixels: (pixels: Pixels) => void;
}>;

const serve = (socket: Socket, { token, payloadBytes, onPixels }: PixelServerOptions): void => {
  let known = false;
  const tooLate = setTimeout(() => known || socket.destroy(), helloWithinMs);
  const read = frameReader(({ header, payload }) => {
    if (!known) {
      known = timingSafeEqual(digest(helloSchema.parse(header).token), digest(token));
      if (!known) throw new Error('wrong token');
      return;
    }
    const pixels = headerSchema.parse(header);
    if (payload.byteLength !== payloadBytes()) throw new RangeError('wrong number of pixels');
    onPixels({ ...pixels, pixels: payload });
  });
  socket.on('data', (chunk: Buffer) => {
    if (socket.destroyed) return;
    try {
      read(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(tooLate));
};

export const listenForPixels = (options: PixelServerOptions): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => serve(socket, options));
    server.once('error', reject);
    server.listen(options.path, () => {
      if (process.platform !== 'win32') chmodSync(options.path, 0o600);
      resolve(server);
    });
  });

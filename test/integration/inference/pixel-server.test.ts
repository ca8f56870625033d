import { rmSync } from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFrame } from '../../../main/hosts/frames.ts';
import { newSocketPath, openRuntimeDir } from '../../../main/hosts/runtime-dir.ts';
import { listenForPixels, type Pixels } from '../../../main/inference/host/pixel-server.ts';
import { scratch } from './rig.ts';

const token = 'the right token';
const pairs = [{ text: 'a dog' }, { text: 'it runs', premise: 'a dog in a park' }];
const delivery = { priority: 'bulk', client: '', deadlineAt: null, operation: { kind: 'judge', pairs } };
const dir = openRuntimeDir(scratch());
const path = newSocketPath(dir);
const received: Pixels[] = [];
let server: Server;

beforeAll(async () => {
  server = await listenForPixels({ path, token, payloadBytes: () => 12, onPixels: (pixels) => received.push(pixels) });
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const peer = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.on('error', () => undefined);
  });
const dropped = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    socket.resume();
    socket.once('close', () => resolve(true));
    // Sooner than the server gives up on anybody who keeps silent.
    setTimeout(() => resolve(false), 4000);
  });

describe('pixel server', () => {
  it('takes pixels from a peer that knows the token', async () => {
    const socket = await peer();
    await writeFrame(socket, { token }, []);
    await writeFrame(socket, { job: 5, delivery }, [new Uint8Array(5).fill(1), new Uint8Array(7).fill(2)]);
    while (received.length === 0) await new Promise((next) => setTimeout(next, 5));
    expect(received[0]).toMatchObject({ job: 5, delivery });
    expect([...(received[0]?.pixels ?? [])]).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
    socket.destroy();
  });

  it.each([
    ['does not know the token', [{ token: 'a wrong token' }], 0],
    ['does not say who it is', [{ job: 1, delivery }], 12],
    ['sends the wrong number of pixels', [{ token }, { job: 1, delivery }], 11],
    ['sends a header of another shape', [{ token }, { job: 'one' }], 12],
    [
      'asks for what there is not',
      [{ token }, { job: 1, delivery: { ...delivery, operation: { kind: 'erase' } } }],
      12,
    ],
  ])('drops a peer that %s', async (_, headers, bytes) => {
    const before = received.length;
    const socket = await peer();
    const gone = dropped(socket);
    for (const [i, header] of headers.entries()) {
      await writeFrame(socket, header, i === headers.length - 1 && bytes > 0 ? [new Uint8Array(bytes)] : []).catch(
        () => undefined,
      );
    }
    expect(await gone).toBe(true);
    expect(received.length).toBe(before);
  });

  it('drops a peer that talks rubbish', async () => {
    const socket = await peer();
    const gone = dropped(socket);
    socket.write(Buffer.alloc(64, 255));
    expect(await gone).toBe(true);
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defaultPrescreen } from '../../../main/contract/photo.ts';
import { type Frame, frameReader } from '../../../main/hosts/frames.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type {
  Delivery,
  Identified,
  ImageHostConfig,
  ImageHostReply,
  ImageHostRequest,
  Prepared,
} from '../../../main/images/protocol.ts';
import { writeImageFiles } from '../../fixtures/images/make.ts';
import { noteSkipped, shared } from '../../shared.ts';

const entry = resolve(import.meta.dirname, '../../../main/images/host/image-host.ts');
const delivery: Delivery = {
  priority: 'bulk',
  client: 'test',
  deadlineAt: null,
  operation: { kind: 'encode', parts: [] },
};
const views = [
  { id: 'a', width: 32, height: 32, fit: 'fill' },
  { id: 'b', width: 16, height: 16, fit: 'cover', crop: 0.875 },
] as const;
const payloadBytes = (32 * 32 + 16 * 16) * 3;
const limits = { maxBytes: 64 * 1024 * 1024, maxPixels: 1e8 };

/** Only bounds a test that is going to fail. */
const patience = { timeout: 60_000 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-host-'));
  await writeImageFiles(join(folder, 'photos'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the inference host would get. */
const listen = async () => {
  const path = join(folder, `s${Math.random().toString(36).slice(2, 8)}`);
  const frames: Frame[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on(
      'data',
      frameReader((frame) => frames.push(frame)),
    );
  });
  await new Promise<void>((done) => server.listen(path, done));
  return { path, frames, sockets, close: () => server.close() };
};

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const startHost = async (config: Partial<ImageHostConfig> = {}) => {
  const handle = spawnNode()<ImageHostRequest, ImageHostReply>(entry, { name: 'image host' });
  const waiting = new Map<string, (reply: ImageHostReply) => void>();
  const exits: unknown[] = [];
  // A host that ends must fail the test that waits for it, not stall it.
  const ended = new Promise<never>((_, reject) => {
    handle.onExit((how) => {
      exits.push(how);
      reject(new Error(`the image host ended: ${JSON.stringify(how)}`));
    });
  });
  ended.catch(() => undefined);
  const ready = Promise.race([new Promise<ImageHostReply>((done) => waiting.set('ready', done)), ended]);
  handle.onReply((reply) => waiting.get(reply.kind === 'ready' ? 'ready' : `${reply.kind} ${reply.job}`)?.(reply));
  ends.push(handle.kill);
  const hello = await ready;
  handle.post({ kind: 'configure', config: { views, pixels: null, limits, prescreen: defaultPrescreen, ...config } });
  let jobs = 0;
  const ask = <R>(kind: string, request: ImageHostRequest & { job: number }): Promise<R> => {
    const replied = new Promise<R>((done) => {
      waiting.set(`${kind} ${request.job}`, (reply) => done((reply as unknown as Readonly<{ result: R }>).result));
    });
    handle.post(request);
    return Promise.race([replied, ended]);
  };
  const identify = async (path: string) => {
    const job = ++jobs;
    return { job, result: await ask<Identified>('identified', { kind: 'identify', job, path }) };
  };
  const prepare = (job: number) => ask<Prepared>('prepared', { kind: 'prepare', job, delivery });
  const preview = (path: string, size: 256 | 2048, out: string) =>
    ask<Extract<ImageHostReply, { kind: 'preview' }>['result']>('preview', {
      kind: 'preview',
      job: ++jobs,
      path,
      size,
      out,
    });
  return { hello, identify, prepare, preview, post: handle.post, exits };
};

const photo = (name: string) => join(folder, 'photos', name);

describe('image host', () => {
  it('identifies, prepares and sends one frame a photo, token first', async () => {
    const line = await listen();
    ends.push(line.close);
    const host = await startHost({ pixels: { socket: line.path, token: 'secret' } });
    expect(host.hello).toMatchObject({ kind: 'ready', decoder: 'native' });
    const names = ['plain.jpg', 'plain.png', 'orientation-6.jpg'];
    const jobs = await Promise.all(names.map((name) => host.identify(photo(name))));
    for (const { result } of jobs) expect(result.ok).toBe(true);
    const prepared = await Promise.all(jobs.map(({ job }) => host.prepare(job)));
    for (const result of prepared) expect(result).toMatchObject({ ok: true, sent: true });
    await expect.poll(() => line.frames.length, patience).toBe(4);
    expect(line.frames[0]!.header).toEqual({ token: 'secret' });
    const sent = line.frames.slice(1).map(({ header }) => (header as { job: number }).job);
    expect(sent.sort()).toEqual(jobs.map(({ job }) => job));
    for (const { header, payload } of line.frames.slice(1)) {
      expect(header).toMatchObject({ delivery });
      expect(payload.length).toBe(payloadBytes);
    }
  });

  it('sends nothing of a flat photo', async () => {
    const line = await listen();
    ends.push(line.close);
    const host = await startHost({ pixels: { socket: line.path, token: 't' } });
    const { job } = await host.identify(photo('flat.png'));
    expect(await host.prepare(job)).toMatchObject({ ok: true, sent: false, info: { prescreen: { flat: true } } });
    await expect.poll(() => line.frames.length, patience).toBe(1);
  });

  it('knows a photo by its picture, whatever its metadata', async () => {
    const host = await startHost();
    const [plain, tagged, again] = await Promise.all(
      ['plain.jpg', 'tagged.jpg', 'a café (NFC).jpg'.normalize('NFC')].map(
        async (name) => (await host.identify(photo(name))).result,
      ),
    );
    if (!plain?.ok || !tagged?.ok || !again?.ok) throw new Error('not identified');
    expect(tagged.identity.fileHash).not.toBe(plain.identity.fileHash);
    expect(again.identity).toMatchObject({ fileHash: plain.identity.fileHash, imageHash: plain.identity.imageHash });
  });

  it('rows 7, 10: gives a reason for every file that it cannot take, and goes on', async () => {
    const host = await startHost();
    const odd = join(folder, 'odd');
    mkdirSync(odd, { recursive: true });
    execFileSync('mkfifo', [join(odd, 'pipe.jpg')]);
    symlinkSync('loop.jpg', join(odd, 'loop.jpg'));
    writeFileSync(join(odd, 'large.jpg'), Buffer.alloc(limits.maxBytes + 1));
    const reason = async (path: string) => {
      const { result } = await host.identify(path);
      return result.ok ? 'ok' : result.reason;
    };
    expect(await reason(photo('empty.jpg'))).toEqual({ code: 'empty_file', params: {} });
    expect(await reason(photo('text.jpg'))).toEqual({ code: 'not_an_image', params: { found: 'text' } });
    expect(await reason(photo('drawing.svg'))).toEqual({ code: 'unsupported_format', params: { format: 'svg' } });
    expect(await reason(photo('noise.jpg'))).toMatchObject({ code: 'not_an_image' });
    expect(await reason(photo('absent.jpg'))).toEqual({ code: 'vanished', params: {} });
    expect(await reason(odd)).toMatchObject({ code: 'unreadable', params: { error: 'a folder, not a file' } });
    expect(await reason(join(odd, 'pipe.jpg'))).toMatchObject({ code: 'unreadable' });
    expect(await reason(join(odd, 'loop.jpg'))).toMatchObject({ code: 'unreadable' });
    expect(await reason('/dev/zero')).toMatchObject({ code: 'unreadable' });
    expect(await reason(join(odd, 'large.jpg'))).toMatchObject({ code: 'too_many_bytes' });
    expect(await reason(photo('plain.jpg'))).toBe('ok');
    expect(host.exits).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('names a file that may not be read', async () => {
    const locked = join(folder, 'locked.jpg');
    writeFileSync(locked, 'x');
    chmodSync(locked, 0);
    const { result } = await (await startHost()).identify(locked);
    expect(result).toMatchObject({ ok: false, reason: { code: 'unreadable', params: { error: 'permission denied' } } });
  });

  it('forgets a released job and fails one it does not know', async () => {
    const host = await startHost();
    const { job } = await host.identify(photo('plain.jpg'));
    host.post({ kind: 'release', job });
    expect(await host.prepare(job)).toMatchObject({ ok: false, retryable: true });
  });

  it('fails a photo as retryable when the line to the inference host is lost', async () => {
    const line = await listen();
    const host = await startHost({ pixels: { socket: line.path, token: 't' } });
    await expect.poll(() => line.sockets.length, patience).toBe(1);
    line.close();
    line.sockets[0]!.destroy();
    const { job } = await host.identify(photo('plain.jpg'));
    await expect
      .poll(async () => host.prepare((await host.identify(photo('plain.jpg'))).job), patience)
      .toMatchObject({ ok: false, retryable: true, reason: { code: 'inference_failed' } });
    host.post({ kind: 'release', job });
    const next = await listen();
    ends.push(next.close);
    host.post({
      kind: 'configure',
      config: { views, pixels: { socket: next.path, token: 't' }, limits, prescreen: null },
    });
    expect(await host.prepare((await host.identify(photo('plain.jpg'))).job)).toMatchObject({ ok: true, sent: true });
  });

  it('row 9: leaves the file free and untouched', async () => {
    const path = join(folder, 'mine.jpg');
    const before = readFileSync(photo('plain.jpg'));
    writeFileSync(path, before);
    const host = await startHost();
    const { job } = await host.identify(path);
    await host.prepare(job);
    await host.preview(path, 256, join(folder, 'mine.webp'));
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
    if (process.platform === 'linux') {
      const { pid } = host.hello as { pid: number };
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => {
        try {
          return execFileSync('readlink', [`/proc/${pid}/fd/${fd}`], { encoding: 'utf8' }).trim();
        } catch {
          return '';
        }
      });
      expect(open).not.toContain(path);
    }
    await rm(path);
    expect(existsSync(path)).toBe(false);
  });

  it('writes upright previews, never enlarged, whole or not at all', async () => {
    const host = await startHost();
    const out = join(folder, 'previews');
    mkdirSync(out);
    expect(await host.preview(photo('orientation-6.jpg'), 256, join(out, 'small.webp'))).toEqual({
      ok: true,
      width: 160,
      height: 96,
    });
    const large = join(folder, 'large.png');
    await sharp(photo('plain.png')).resize(1000, 3000, { fit: 'fill' }).png().toFile(large);
    expect(await host.preview(large, 256, join(out, 'tall.webp'))).toEqual({ ok: true, width: 85, height: 256 });
    expect(await sharp(join(out, 'tall.webp')).metadata()).toMatchObject({ format: 'webp', width: 85, height: 256 });
    expect(await host.preview(photo('text.jpg'), 256, join(out, 'none.webp'))).toMatchObject({ ok: false });
    expect(await host.preview(photo('plain.jpg'), 256, join(out, 'no', 'folder.webp'))).toMatchObject({ ok: false });
    expect(readdirSync(out).sort()).toEqual(['small.webp', 'tall.webp']);
  });
});

noteSkipped('the run over the corpus of awkward files');
describe.skipIf(!shared)('a corpus of awkward files', () => {
  it('is taken or refused with a reason, file by file, by one host that lives on', async () => {
    const corpus = join(shared!, 'robust');
    const host = await startHost();
    const names = readdirSync(corpus);
    let taken = 0;
    for (const name of names) {
      const { job, result } = await host.identify(join(corpus, name));
      const outcome = result.ok ? await host.prepare(job) : result;
      if (outcome.ok) taken++;
      else expect(JSON.stringify(outcome.reason), name).toMatch(/^\{"code":"\w+","params":\{/);
    }
    expect(host.exits).toEqual([]);
    expect(taken / names.length).toBeGreaterThan(0.8);
  });
});

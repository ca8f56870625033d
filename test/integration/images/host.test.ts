import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defaultPrescreen } from '../../../main/contract/photo.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type {
  Delivery,
  Identified,
  ImageHostReply,
  ImageHostRequest,
  PixelTarget,
  Prepared,
} from '../../../main/images/protocol.ts';
import { writeImageFiles } from '../../fixtures/images/make.ts';
import { openPixelSink, type PixelSink } from '../../fixtures/images/pixel-sink.ts';
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
/** Where pixels go that nobody looks at. */
let anybody: PixelSink;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-host-'));
  anybody = await openPixelSink(folder);
  await writeImageFiles(join(folder, 'photos'));
});
afterAll(() => {
  anybody.close();
  return rm(folder, { recursive: true, force: true });
});

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const startHost = async () => {
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
  handle.post({ kind: 'configure', limits });
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
  const prepare = (job: number, { address } = anybody, prescreen: PixelTarget['prescreen'] = defaultPrescreen) =>
    ask<Prepared>('prepared', { kind: 'prepare', job, target: { views, address, prescreen }, delivery });
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
    const sink = await openPixelSink(folder);
    ends.push(sink.close);
    const host = await startHost();
    expect(host.hello).toMatchObject({ kind: 'ready', decoder: 'native' });
    const names = ['plain.jpg', 'plain.png', 'orientation-6.jpg'];
    const jobs = await Promise.all(names.map((name) => host.identify(photo(name))));
    for (const { result } of jobs) expect(result.ok).toBe(true);
    const prepared = await Promise.all(jobs.map(({ job }) => host.prepare(job, sink)));
    for (const result of prepared) expect(result).toMatchObject({ ok: true, sent: true });
    await expect.poll(() => sink.frames.length, patience).toBe(4);
    expect(sink.frames[0]!.header).toEqual({ token: 'secret' });
    const sent = sink.frames.slice(1).map(({ header }) => (header as { job: number }).job);
    expect(sent.sort()).toEqual(jobs.map(({ job }) => job));
    for (const { header, payload } of sink.frames.slice(1)) {
      expect(header).toMatchObject({ delivery });
      expect(payload.length).toBe(payloadBytes);
    }
  });

  it('sends nothing of a flat photo', async () => {
    const sink = await openPixelSink(folder);
    ends.push(sink.close);
    const host = await startHost();
    const { job } = await host.identify(photo('flat.png'));
    const flat = await host.prepare(job, sink);
    expect(flat).toMatchObject({ ok: true, sent: false, info: { prescreen: { flat: true } } });
    const next = await host.identify(photo('plain.jpg'));
    await host.prepare(next.job, sink);
    await expect.poll(() => sink.frames.length, patience).toBe(2);
    expect(sink.frames[1]?.header).toMatchObject({ job: next.job });
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

  it('fails a photo as retryable when the line to the inference host is lost, and reaches the next one', async () => {
    const sink = await openPixelSink(folder);
    const host = await startHost();
    const sent = async (to: PixelSink) => host.prepare((await host.identify(photo('plain.jpg'))).job, to, null);
    expect(await sent(sink)).toMatchObject({ ok: true, sent: true });
    sink.close();
    await expect
      .poll(() => sent(sink), patience)
      .toMatchObject({ ok: false, retryable: true, reason: { code: 'inference_failed' } });
    const next = await openPixelSink(folder);
    ends.push(next.close);
    expect(await sent(next)).toMatchObject({ ok: true, sent: true });
  });

  it('sends each photo where its own request says, and measures it or not as that says', async () => {
    const [a, b] = [await openPixelSink(folder), await openPixelSink(folder)];
    ends.push(a.close, b.close);
    const host = await startHost();
    const job = async (name: string) => (await host.identify(photo(name))).job;
    const flat = await job('flat.png');
    const results = await Promise.all([
      host.prepare(flat, a, null),
      host.prepare(await job('plain.jpg'), b),
      host.prepare(await job('plain.png'), a),
    ]);
    expect(results.map((result) => result.ok && [result.sent, result.info.prescreen !== null])).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
    await expect.poll(() => [a.frames.length, b.frames.length], patience).toEqual([3, 2]);
    expect(a.frames.slice(1).map(({ header }) => (header as { job: number }).job)).toContain(flat);
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

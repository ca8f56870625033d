/** The local server as `vouch serve` runs it, with the embedded pack and real photos. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgingOptions, withCore } from '../../../build/bench/vouch.ts';
import {
  benchDocumentSchema,
  type JudgeDocument,
  judgeDocumentSchema,
  verdictsDocumentSchema,
} from '../../../main/contract/cli.ts';
import { problemDocumentSchema } from '../../../main/contract/http.ts';
import { changeSettings, defaultSettings } from '../../../main/contract/settings.ts';
import { startServer } from '../../../main/server/server.ts';
import { root, startVouch, vouch } from '../cli/vouch.ts';

type Running = Readonly<{ url: string; token: string; stop: () => void; ended: Promise<number | null> }>;

/** Resolves once it has said where it listens; it fails with what it said instead. */
const serve = (home: string): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = startVouch(['serve', '--port', '0', '--home', home]);
    const ended = new Promise<number | null>((done) => child.on('close', done));
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [, url, token] = /Listening on (\S+)\nToken: (\S+)\n/.exec(said) ?? [];
      if (url && token) resolve({ url, token, stop: () => child.kill('SIGTERM'), ended });
    });
    ended.then(() => reject(new Error(said)));
  });

const samples = (name: string) => join(root, 'resources', 'samples', name);
const dir = mkdtempSync(join(tmpdir(), 'vouch-server-'));
const home = join(dir, 'home');
let server: Running;
beforeAll(async () => {
  // However busy the machine, no photo is given up for being late.
  const settings = changeSettings(defaultSettings, { ladder: { interactiveCpuMs: 200_000 } });
  mkdirSync(home);
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  server = await serve(home);
});
afterAll(async () => {
  server.stop();
  await server.ended;
  rmSync(dir, { recursive: true, force: true });
});

const get = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.token}` } });
const post = (body: string) =>
  fetch(`${server.url}/v1/judge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body,
  });
/** A request to judge whose body is still to come. */
const begin = (bytes: number, answered: (response: IncomingMessage) => void, expect?: string) => {
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'content-length': bytes,
    ...(expect && { expect }),
  };
  return request(`${server.url}/v1/judge`, { method: 'POST', headers }, answered);
};
const judge = async (asked: object): Promise<JudgeDocument> =>
  judgeDocumentSchema.parse(await (await post(JSON.stringify(asked))).json());
const codeOf = async (response: Response) => problemDocumentSchema.parse(await response.json()).error.code;
/** All but the times. */
const untimed = ({ timingMs, prescreen, device, ...rest }: JudgeDocument) => ({
  ...rest,
  prescreen: { ...prescreen, ms: 0 },
  device: device.used,
});

describe('who may ask', () => {
  it('only who bears the token, which is kept for its owner and never logged', async () => {
    for (const headers of [new Headers(), new Headers({ authorization: 'Bearer wrong' })]) {
      const refused = await fetch(`${server.url}/v1/verdicts`, { headers });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      expect(await codeOf(refused)).toBe('unauthorised');
    }
    expect((await get('/v1/verdicts')).status).toBe(200);
    const file = join(home, 'server-token');
    expect(readFileSync(file, 'utf8').trim()).toBe(server.token);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const log = () => readFileSync(join(home, 'logs', 'vouch.jsonl'), 'utf8');
    await expect.poll(log, { timeout: 20_000 }).toContain('"route":"/v1/verdicts","status":401');
    expect(log()).not.toContain(server.token);
  });

  it('no web page, and no name that was made to lead here', async () => {
    const statusWith = (headers: Readonly<Record<string, string>>) =>
      new Promise<number | undefined>((done, failed) => {
        const asked = { headers: { authorization: `Bearer ${server.token}`, ...headers } };
        request(`${server.url}/v1/verdicts`, asked, (response) => done(response.resume().statusCode))
          .on('error', failed)
          .end();
      });
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ host: 'evil.example' })).toBe(403);
    expect(await statusWith({ origin: 'http://evil.example' })).toBe(403);
  });
});

describe('health', () => {
  it('it is healthy at once and ready when the engine is warm, without a token', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  });

  it('it is not ready before', () =>
    withCore(async (core) => {
      const judging = await core.openJudging(judgingOptions);
      const verdicts = async () => ({ total: 0, items: [] });
      const cold = await startServer({
        port: 0,
        token: 'none',
        judging,
        verdicts,
        telemetry: core.telemetry,
        logFile: core.home.log,
      });
      try {
        const response = await fetch(`${cold.url}/readyz`);
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(await codeOf(response)).toBe('not_ready');
        expect((await fetch(`${cold.url}/healthz`)).status).toBe(200);
      } finally {
        await cold.close();
        await judging.close();
      }
    }));
});

describe('judging', () => {
  it('answers as the command line does, for a file and for a photo that is sent', async () => {
    const path = samples('cat.jpg');
    const statement = 'a cat on a sofa';
    const ended = await vouch('judge', path, '-s', statement, '--home', home, '--json');
    const expected = untimed(judgeDocumentSchema.parse(JSON.parse(ended.stdout)));
    expect(untimed(await judge({ statement, path }))).toEqual(expected);
    expect(untimed(await judge({ statement, image: readFileSync(path, 'base64') }))).toEqual(expected);
  });

  it('gives each of eight clients at once its own answer', async () => {
    const nouns = ['cat', 'dog', 'person', 'bicycle', 'banana', 'car', 'no cat', 'no dog'];
    const path = samples('cat.jpg');
    const asked = nouns.map((noun) => ({ statement: `there is ${noun}`, path }));
    const alone: JudgeDocument[] = [];
    for (const one of asked) alone.push(await judge(one));
    const together = await Promise.all(asked.map(judge));
    expect(together.map(untimed)).toEqual(alone.map(untimed));
    expect(new Set(together.map(({ sent }) => sent.parts[0])).size).toBe(nouns.length);
  });

  it.each([
    ['no JSON', '{"statement": ', 400, 'invalid_input'],
    ['no photo', { statement: 'a cat' }, 400, 'invalid_input'],
    ['two photos', { statement: 'a cat', path: samples('cat.jpg'), image: 'AAAA' }, 400, 'invalid_input'],
    ['a relative path', { statement: 'a cat', path: 'cat.jpg' }, 400, 'invalid_input'],
    ['what is no base64', { statement: 'a cat', image: 'data:image/jpeg;base64,AAAA' }, 400, 'invalid_input'],
    ['only a hedge', { statement: 'probably', path: samples('cat.jpg') }, 400, 'nothing_left'],
    ['a file that is not there', { statement: 'a cat', path: join(dir, 'none.jpg') }, 404, 'file_missing'],
    ['a file that is no image', { statement: 'a cat', path: join(root, 'package.json') }, 415, 'photo_unusable'],
    ['bytes that are no image', { statement: 'a cat', image: 'aGVsbG8gd29ybGQ=' }, 415, 'photo_unusable'],
  ])('refuses %s', async (_, body, status, code) => {
    const response = await post(typeof body === 'string' ? body : JSON.stringify(body));
    expect(await codeOf(response)).toBe(code);
    expect(response.status).toBe(status);
  });

  it('refuses more than 64 MB before any of it is sent', async () => {
    const status = await new Promise<number | undefined>((done, failed) => {
      const asked = begin(65 * 2 ** 20, (response) => {
        done(response.statusCode);
        asked.destroy();
      });
      asked.on('error', failed);
      asked.flushHeaders();
    });
    expect(status).toBe(413);
  });
});

it('lists what another process has judged, as the command line does', async () => {
  const folder = join(dir, 'photos');
  mkdirSync(folder);
  for (const name of ['cat.jpg', 'raccoon.jpg']) await copyFile(samples(name), join(folder, name));
  await expect((await get('/v1/verdicts')).json()).resolves.toEqual({ total: 0, items: [] });
  const scanned = await vouch('scan', folder, '-s', 'a cat', '-s', 'a dog', '--home', home, '--json');
  expect(scanned.code, scanned.stderr).toBe(0);
  const listed = await vouch('verdicts', '--label', 'yes', '--limit', '1', '--home', home, '--json');
  const answer = verdictsDocumentSchema.parse(await (await get('/v1/verdicts?label=yes&limit=1')).json());
  expect(answer).toEqual(JSON.parse(listed.stdout));
  expect(answer.items).toHaveLength(1);
  expect((await get('/v1/verdicts?wantsReview=perhaps')).status).toBe(400);
  // Many at once share one reader.
  const many = await Promise.all(Array.from({ length: 24 }, () => get('/v1/verdicts?label=yes&limit=1')));
  for (const response of many) expect(verdictsDocumentSchema.parse(await response.json())).toEqual(answer);
  expect(await codeOf(await get('/v1/nothing'))).toBe('no_route');
});

it('is measured by bench, which needs the token too', async () => {
  const bench = (token: string) =>
    vouch('bench', '--server', server.url, '--token', token, '--concurrency', '2', '--home', home, '--json');
  const measured = await bench(server.token);
  expect(measured.code, measured.stderr).toBe(0);
  const { batches, concurrency, knee, provider } = benchDocumentSchema.parse(JSON.parse(measured.stdout));
  expect({ batches, knee, provider }).toEqual({ batches: [], knee: null, provider: 'cpu' });
  expect(concurrency).toHaveLength(1);
  expect(concurrency[0]).toMatchObject({ clients: 2, rssMb: null });
  expect(concurrency[0]!.perSecond).toBeGreaterThan(0);
  expect(concurrency[0]!.p95).toBeGreaterThanOrEqual(concurrency[0]!.p50);
  expect((await bench('wrong')).code).toBe(2);
});

it('a port that is taken ends with 2', async () => {
  const { port } = new URL(server.url);
  const ended = await vouch('serve', '--port', port, '--home', join(dir, 'second'));
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(port);
});

it('ends with 130 once what is under way is answered', async () => {
  const body = JSON.stringify({ statement: 'a cat', path: samples('cat.jpg') });
  const { statusCode, headers } = await new Promise<IncomingMessage>((done, failed) => {
    const answered = (response: IncomingMessage) => done(response.resume());
    const asked = begin(Buffer.byteLength(body), answered, '100-continue');
    asked.on('error', failed);
    // The server has begun with it. It ends when it is told to, and takes nothing new.
    asked.on('continue', async () => {
      server.stop();
      const isUp = () =>
        get('/healthz').then(
          () => true,
          () => false,
        );
      while (await isUp()) await new Promise((wake) => setTimeout(wake, 20));
      asked.end(body);
    });
    asked.flushHeaders();
  });
  expect({ statusCode, connection: headers.connection }).toEqual({ statusCode: 200, connection: 'close' });
  expect(await server.ended).toBe(130);
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { vouchError } from '../../../main/contract/errors.ts';
import type { QuarantineReason } from '../../../main/contract/photo.ts';
import { refusal } from '../../../main/server/guard.ts';
import { statusOf } from '../../../main/server/status.ts';
import { bearsToken, keptToken } from '../../../main/server/token.ts';

const token = 'a-token';
const host = '127.0.0.1:8478';
const authorization = `Bearer ${token}`;

describe('the local server answers', () => {
  it.each([
    ['a program with the token', { host, authorization }],
    ['by the name localhost, in whatever case', { host: 'LocalHost:80', authorization }],
    ['through a tunnel from another port', { host: '127.0.0.1:1', authorization }],
    ['a page of its own', { host, authorization, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }],
  ])('%s', (_, headers) => {
    expect(refusal(headers, token)).toBeNull();
  });
  it('whoever asks where no token is needed', () => {
    expect(refusal({ host }, null)).toBeNull();
  });
});

describe('it refuses', () => {
  it.each([
    ['no token', { host }],
    ['another token', { host, authorization: 'Bearer another' }],
    ['the token in another scheme', { host, authorization: `Basic ${token}` }],
    ['an empty token', { host, authorization: 'Bearer ' }],
  ])('%s', (_, headers) => {
    expect(refusal(headers, token)?.code).toBe('unauthorised');
  });
  it.each([
    ['a foreign name', { host: 'evil.example' }],
    ['a name that begins like its own', { host: '127.0.0.1.evil.example' }],
    ['no name', {}],
    ['a page of another site', { host, origin: 'http://evil.example' }],
    ['a page of another port', { host, origin: 'http://127.0.0.1:9' }],
    ['a page without origin', { host, origin: 'null' }],
    ['an image in a page', { host, 'sec-fetch-site': 'cross-site' }],
  ])('%s, token or not', (_, headers) => {
    expect(refusal({ ...headers, authorization }, token)?.code).toBe('foreign');
    expect(refusal(headers, null)?.code).toBe('foreign');
  });
});

describe('the token', () => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-token-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'token');

  it('is made once, kept for its owner alone, and made anew where it is damaged', () => {
    const made = keptToken(file);
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(keptToken(file)).toBe(made);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'guessable');
    const anew = keptToken(file);
    expect(anew).not.toBe(made);
    expect(readFileSync(file, 'utf8')).toBe(`${anew}\n`);
    expect(bearsToken(`bearer ${anew}`, anew)).toBe(true);
    expect(bearsToken(`Bearer ${made}`, anew)).toBe(false);
  });
});

describe('the status of an error', () => {
  const photo = (reason: QuarantineReason) => vouchError('photo_unusable', { path: 'a', reason });
  it.each([
    [400, vouchError('nothing_left', { text: '', removed: [] })],
    [401, vouchError('unauthorised', {})],
    [403, vouchError('foreign', { header: 'Host', given: '' })],
    [404, vouchError('file_missing', { path: 'a' })],
    [413, photo({ code: 'too_many_bytes', params: { bytes: 2, limit: 1 } })],
    [415, photo({ code: 'not_an_image', params: { found: 'text' } })],
    [422, photo({ code: 'kills_host', params: { host: 'image', times: 2 } })],
    [500, vouchError('unexpected', { detail: '', log: null })],
    [503, vouchError('queue_full', { detail: '' })],
    [503, vouchError('runtime_missing', { detail: '' })],
    [503, vouchError('store_locked', { path: 'a', pid: null })],
    [504, vouchError('timed_out', { limitMs: 5000 })],
  ])('%i', (status, error) => {
    expect(statusOf(error)).toBe(status);
  });
});

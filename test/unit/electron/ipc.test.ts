import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer } from '../../../electron/ipc.ts';
import { errorOf, failWith } from '../../../main/failure.ts';

const schema = z.strictObject({ count: z.int().min(1).default(7) });
const live = () => new AbortController().signal;
const quiet = (_: string, thrown: unknown) => errorOf(thrown);

describe('a call', () => {
  it('gives the handler checked input with its defaults', async () => {
    const result = await answer('results.page', schema, async (input) => input, {}, live(), quiet);
    expect(result).toEqual({ ok: true, value: { count: 7 } });
  });

  it('names the place that is wrong, and never runs the handler', async () => {
    let ran = false;
    const handler = async () => {
      ran = true;
    };
    const result = await answer('results.page', schema, handler, { count: 0 }, live(), quiet);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', params: { channel: 'results.page', path: 'count' }, retryable: false },
    });
    expect(ran).toBe(false);
  });

  it('keeps the code of a known failure and calls the rest unexpected', async () => {
    const known = async () => failWith('folder_missing', { path: '/x' });
    expect(await answer('library.add', schema, known, {}, live(), quiet)).toEqual({
      ok: false,
      error: { code: 'folder_missing', params: { path: '/x' }, retryable: false },
    });
    const logged: string[] = [];
    const broken = async () => {
      throw new Error('boom');
    };
    const result = await answer('library.add', schema, broken, {}, live(), (channel, thrown) => {
      logged.push(`${channel} ${thrown}`);
      return errorOf(thrown, '/home/logs/vouch.jsonl');
    });
    const params = { detail: 'boom', log: '/home/logs/vouch.jsonl' };
    expect(result).toEqual({ ok: false, error: { code: 'unexpected', params, retryable: false } });
    expect(logged).toEqual(['library.add Error: boom']);
  });

  it('answers cancelled once it was, whatever the handler did', async () => {
    for (const end of [async () => 'late', async () => Promise.reject(new Error('stopped'))]) {
      const controller = new AbortController();
      const result = answer('library.scan', schema, end, {}, controller.signal, quiet);
      controller.abort();
      expect(await result).toMatchObject({ ok: false, error: { code: 'cancelled', retryable: true } });
    }
  });
});

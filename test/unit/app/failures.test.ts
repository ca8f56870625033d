/** What is thrown in the core, as far as the sentence that a person reads of it: in the window, and on the terminal. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer } from '../../../electron/ipc.ts';
import { lateHandlers } from '../../../main/app/handlers/late.ts';
import { exitCodeOf } from '../../../main/cli/exit.ts';
import type { Handlers } from '../../../main/contract/api.ts';
import { exitCodes } from '../../../main/contract/cli.ts';
import { errorParams, type VouchError } from '../../../main/contract/errors.ts';
import type { Result } from '../../../main/contract/result.ts';
import { errorOf, failedWith, failWith, VouchFailure } from '../../../main/failure.ts';
import { statusOf } from '../../../main/server/status.ts';
import { errorText } from '../../../main/words/english.ts';
import { languages, wordsIn } from '../../../main/words/words.ts';
import { i18n } from '../../../renderer/i18n/index.ts';
import { windowWords } from '../../../renderer/i18n/words.ts';
import { exampleErrors, notForPeople } from '../../fixtures/errors.ts';

const log = '/home/ann/.local/share/vouch/logs/vouch.jsonl';
let answerOf: typeof import('../../../renderer/data/call.ts').answerOf;
beforeAll(async () => {
  vi.stubGlobal('window', {});
  ({ answerOf } = await import('../../../renderer/data/call.ts'));
});
afterEach(() => void i18n.changeLanguage('en'));

/** What the window gets of a handler that throws this: through the late handlers, the channel and a copy between processes. */
const overTheChannel = async (thrown: unknown): Promise<VouchError> => {
  const core = async () => ({ runs: { current: async () => Promise.reject(thrown) } }) as Pick<Handlers, 'runs'>;
  const { current } = lateHandlers(['runs'], core).runs;
  const { signal } = new AbortController();
  const explain = (_: string, cause: unknown) => errorOf(cause, log);
  const result = await answer(
    'runs.current',
    z.unknown(),
    (_, context) => current(undefined, context),
    {},
    signal,
    explain,
  );
  const failure = await answerOf(Promise.resolve(structuredClone(result) as Result<unknown>)).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(failure instanceof VouchFailure)) throw new Error('it was answered');
  return failure.error;
};

it('there is an example of every code', () => {
  expect(new Set(exampleErrors.map(({ code }) => code))).toEqual(new Set(Object.keys(errorParams)));
  for (const { code, params } of exampleErrors) expect(() => errorParams[code].parse(params)).not.toThrow();
});

describe('an error thrown in the core', () => {
  it.each(languages)('reaches the window as it is, and is a sentence there, in %s', async (language) => {
    await i18n.changeLanguage(language);
    for (const error of exampleErrors) {
      const found = await overTheChannel(new VouchFailure(error));
      const shown =
        error.code === 'unexpected' ? { ...error, params: { ...error.params, log: error.params.log ?? log } } : error;
      expect(found).toEqual(shown);
      const sentence = windowWords().errorText(found);
      expect(sentence).not.toMatch(notForPeople);
      expect(sentence).toBe(wordsIn(language, 'window').errorText(shown));
    }
  });

  it('is a sentence and an exit code of the command line, and a status of the server', () => {
    for (const error of exampleErrors) {
      const found = errorOf(new VouchFailure(error));
      expect(errorText(found)).not.toMatch(notForPeople);
      expect(Object.values(exitCodes)).toContain(exitCodeOf(found.code));
      expect(exitCodeOf(found.code)).not.toBe(exitCodes.done);
      expect(statusOf(found)).toBeGreaterThanOrEqual(400);
    }
  });

  it('is told by its code, with its cause kept', () => {
    const cause = new Error('SQLITE_BUSY');
    const thrown = (() => {
      try {
        return failWith('store_locked', { path: '/home', pid: 7 }, { cause });
      } catch (failure) {
        return failure;
      }
    })();
    expect(failedWith(thrown, 'store_locked')).toBe(true);
    expect(failedWith(thrown, 'store_missing')).toBe(false);
    expect(failedWith(cause, 'store_locked')).toBe(false);
    expect((thrown as Error).cause).toBe(cause);
    expect(errorOf(thrown)).toEqual({ code: 'store_locked', params: { path: '/home', pid: 7 }, retryable: true });
  });
});

describe('what is thrown by others', () => {
  const system = (code: string, message: string, path?: string) => Object.assign(new Error(message), { code, path });
  it.each([
    [
      system('EACCES', "EACCES: permission denied, open '/x/a'", '/x/a'),
      '/x/a cannot be used: permission denied. Check its permissions.',
    ],
    [system('ENOENT', "ENOENT: no such file or directory, open '/x/a'", '/x/a'), 'There is no file /x/a.'],
    [
      system('ENOSPC', "ENOSPC: no space left on device, write '/x/a'", '/x/a'),
      'The disk of /x/a is full. Finished work is kept; free some space and run it again.',
    ],
    [new DOMException('aborted', 'AbortError'), 'Stopped. What was finished is kept; the next run goes on from there.'],
  ])('%s is no defect where a person can mend it', (thrown, sentence) => {
    expect(errorText(errorOf(thrown))).toBe(sentence);
  });

  it('is a defect else, told without JSON, with the log that says more', async () => {
    const invalid = z.strictObject({ count: z.number() }).safeParse({ count: 'x' }).error!;
    expect(invalid.message).toContain('{');
    const cases = [
      [new Error('boom'), 'boom'],
      [new Error('no answer {"a":1}\n  and more'), 'no answer'],
      [invalid, 'count Invalid input: expected number, received string'],
      [new TypeError(''), 'TypeError'],
      ['a word', 'a word'],
    ] as const;
    for (const [thrown, detail] of cases) {
      const error = await overTheChannel(thrown);
      expect(error).toEqual({ code: 'unexpected', params: { detail, log }, retryable: false });
      expect(windowWords().errorText(error)).toBe(
        `Something went wrong inside Vouch: ${detail}. Finished work is kept. ` +
          `The log ${log} says more; please send it along if you report this.`,
      );
    }
  });
});

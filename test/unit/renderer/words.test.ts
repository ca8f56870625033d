import { afterEach, describe, expect, it } from 'vitest';
import type { VerdictReason } from '../../../main/contract/reason.ts';
import { i18n, languageOf } from '../../../renderer/i18n/index.ts';
import { windowWords } from '../../../renderer/i18n/words.ts';

afterEach(() => void i18n.changeLanguage('en'));

describe('words', () => {
  const seen: VerdictReason = {
    code: 'seen',
    params: {
      concept: 'dog',
      evidence: [
        { name: 'borzoi', score: 0.942 },
        { name: 'Saluki', score: 0.02 },
      ],
    },
  };

  it('say what was seen, leaving out what all but was not', () => {
    expect(windowWords().reasonText(seen)).toBe('Saw “dog”: borzoi 0.94.');
  });

  it('name no sight that was all but none', () => {
    expect(
      windowWords().reasonText({
        code: 'not_seen',
        params: { concept: 'dog', evidence: [{ name: 'fence', score: 0.03 }] },
      }),
    ).toBe('Did not see “dog”.');
  });

  it('follow the language', async () => {
    await i18n.changeLanguage('zh-CN');
    expect(windowWords().reasonText(seen)).toBe('看到“dog”：borzoi 0.94。');
  });

  it('tell a cap with its reason', () => {
    expect(
      windowWords().capText({
        side: 'yes',
        limit: 0.6,
        reason: { code: 'words_not_checked', params: { words: ['running'], evidence: [] } },
      }),
    ).toBe('YES is held at 0.60: Nothing here can check “running”.');
  });

  it('tell a rung of the ladder with its cause', () => {
    expect(windowWords().degradationText({ code: 'batch_reduced', cause: 'memory' })).toBe(
      'Smaller batches: memory is short',
    );
  });

  it('never let markup or a second hole in', () => {
    expect(
      windowWords().errorText({
        code: 'folder_missing',
        params: { path: '/a/{{path}}/<b>$t(label.yes)' },
        retryable: false,
      }),
    ).toContain('/a/{{path}}/<b>$t(label.yes)');
  });

  it.each([
    ['system', 'zh-Hans-CN', 'zh-CN'],
    ['system', 'zh', 'zh-CN'],
    ['system', 'de-DE', 'en'],
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'en-GB', 'zh-CN'],
  ] as const)('setting %s on a %s system is %s', (setting, system, language) => {
    expect(languageOf(setting, system)).toBe(language);
  });
});

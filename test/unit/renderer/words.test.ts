import { afterEach, describe, expect, it } from 'vitest';
import { quarantineReasonSchema } from '../../../main/contract/photo.ts';
import { type VerdictReason, verdictReasonSchema } from '../../../main/contract/reason.ts';
import { i18n, languageOf } from '../../../renderer/i18n/index.ts';
import { capText, degradationText, errorText, quarantineText, reasonText } from '../../../renderer/i18n/words.ts';

afterEach(() => void i18n.changeLanguage('en'));

const values: Readonly<Record<string, unknown>> = {
  evidence: [
    { name: 'Labrador retriever', score: 0.91 },
    { name: 'golden retriever', score: 0.031 },
  ],
  words: ['running', 'happy'],
  cut: ['and so on'],
  concept: 'dog',
  wanted: 3,
  found: 1,
  language: 'fr',
  standardDeviation: 4.2,
  limitMs: 5000,
  host: 'image',
  times: 2,
  limit: 268_000_000,
  width: 61_000,
  height: 12_000,
  bytes: 6e8,
  format: 'heic',
  error: 'no such codec',
};
type Option = { readonly shape: { readonly code: { readonly value: string }; readonly params: unknown } };
const paramsOf = (option: unknown): object => {
  const params = (option as { def: { innerType?: unknown } }).def.innerType ?? option;
  const shape = (params as { shape: Record<string, unknown> }).shape;
  return Object.fromEntries(Object.keys(shape).map((key) => [key, values[key]]));
};
const samples = (options: readonly unknown[]) =>
  options.map((option) => {
    const { shape } = ((option as { def: { innerType?: unknown } }).def.innerType ?? option) as Option;
    return { code: shape.code.value, params: paramsOf(shape.params) };
  });

const broken = /\{\{|undefined|NaN|\[object|reason\.|quarantine\./;

describe.each(['en', 'zh-CN'])('in %s', (language) => {
  it.each(samples(verdictReasonSchema.options))('words the reason $code', async (reason) => {
    await i18n.changeLanguage(language);
    const text = reasonText(verdictReasonSchema.parse(reason));
    expect(text).not.toMatch(broken);
    expect(text).toMatch(/[.。]$/);
  });

  it.each(samples(quarantineReasonSchema.options))('words the quarantine reason $code', async (reason) => {
    await i18n.changeLanguage(language);
    const given = reason.code === 'not_an_image' ? { ...reason, params: { found: 'text' } } : reason;
    expect(quarantineText(quarantineReasonSchema.parse(given))).not.toMatch(broken);
  });
});

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
    expect(reasonText(seen)).toBe('Saw “dog”: borzoi 0.94.');
  });

  it('name no sight that was all but none', () => {
    expect(
      reasonText({ code: 'not_seen', params: { concept: 'dog', evidence: [{ name: 'fence', score: 0.03 }] } }),
    ).toBe('Did not see “dog”.');
  });

  it('follow the language', async () => {
    await i18n.changeLanguage('zh-CN');
    expect(reasonText(seen)).toBe('看到“dog”：borzoi 0.94。');
  });

  it('tell a cap with its reason', () => {
    expect(
      capText({
        side: 'yes',
        limit: 0.6,
        reason: { code: 'words_not_checked', params: { words: ['running'], evidence: [] } },
      }),
    ).toBe('YES is held at 0.60: Nothing here can check “running”.');
  });

  it('tell a rung of the ladder with its cause', () => {
    expect(degradationText({ code: 'batch_reduced', cause: 'memory', since: 0 })).toBe(
      'Smaller batches: memory is short',
    );
  });

  it('never let markup or a second hole in', () => {
    expect(
      errorText({ code: 'folder_missing', params: { path: '/a/{{path}}/<b>$t(label.yes)' }, retryable: false }),
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

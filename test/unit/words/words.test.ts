import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { degradationCauses, degradationCodes } from '../../../main/contract/degradation.ts';
import { type ErrorCode, type VouchError, vouchError } from '../../../main/contract/errors.ts';
import { type HealthFinding, type HealthFix, healthFindings, healthFixes } from '../../../main/contract/health.ts';
import { type QuarantineReason, quarantineReasonSchema } from '../../../main/contract/photo.ts';
import { type VerdictReason, verdictReasonSchema } from '../../../main/contract/reason.ts';
import en from '../../../main/words/en.json' with { type: 'json' };
import { errorText, reasonText } from '../../../main/words/english.ts';
import type { Text } from '../../../main/words/sentence.ts';
import { languages, type Place, wordsIn } from '../../../main/words/words.ts';
import zh from '../../../main/words/zh-CN.json' with { type: 'json' };
import { exampleErrors, notForPeople } from '../../fixtures/errors.ts';
import { examplesOf } from '../../fixtures/examples.ts';

const evidence = [
  [
    { name: 'Labrador retriever', score: 0.912 },
    { name: 'golden retriever', score: 0.031 },
  ],
  [{ name: 'fence', score: 0.03 }],
  [],
];
const own = {
  evidence,
  path: ['/photos/a.jpg'],
  schema: ['0099-songs'],
  error: ['no such codec.'],
  words: [['running', 'happy'], ['old']],
  cut: [['a cat', 'a cow'], ['a cat']],
  problems: [['row 3 is damaged', 'row 4 is damaged'], ['row 3 is damaged']],
  files: [[{ file: 'model.onnx', problem: 'missing' }]],
};
const errors = exampleErrors;
const coded = <T>(tables: Readonly<Record<string, z.ZodType>>, more = {}): readonly T[] =>
  Object.entries(tables).flatMap(([code, schema]) =>
    examplesOf(schema, { ...own, ...more }).map((params) => ({ code, params }) as T),
  );
const reasons = examplesOf(verdictReasonSchema, own) as unknown as readonly VerdictReason[];
const quarantined = examplesOf(quarantineReasonSchema, own) as unknown as readonly QuarantineReason[];
const findings = coded<HealthFinding>(healthFindings, { error: [vouchError('cancelled', {})] });
const fixes = coded<HealthFix>(healthFixes);

const sound = (sentence: string, about: unknown): void => {
  expect(sentence.replace(/fs\.inotify\.\w+/, ''), JSON.stringify(about)).not.toMatch(notForPeople);
  expect(sentence.length, JSON.stringify(about)).toBeGreaterThan(3);
  expect(sentence, JSON.stringify(about)).not.toMatch(/\.\.$|。。|\s\s|:\s*\.|\(\)/);
};

const places: readonly Place[] = ['cli', 'http', 'window'];
const everywhere = languages.flatMap((language) => places.map((place) => [language, place] as const));

describe.each(everywhere)('in %s, for %s', (language, place) => {
  const words = wordsIn(language, place);
  it('every error, reason and finding has a sentence without holes', () => {
    for (const error of errors) sound(words.errorText(error), error);
    for (const reason of reasons) sound(words.reasonText(reason), reason);
    for (const reason of quarantined) sound(words.quarantineText(reason), reason);
    for (const finding of findings) sound(words.findingText(finding), finding);
    for (const fix of fixes) sound(words.fixText(fix), fix);
    for (const reason of reasons) {
      for (const side of ['yes', 'no'] as const) {
        expect(words.capText({ side, limit: 0.6, reason })).toContain(words.reasonText(reason));
      }
    }
    for (const code of degradationCodes) {
      for (const cause of degradationCauses) sound(words.degradationText({ code, cause }), code);
    }
  });

  it('every sentence but that of what library code says ends', () => {
    for (const error of errors) {
      if (error.code === 'usage' || error.code === 'store_corrupt') continue;
      expect(words.errorText(error)).toMatch(/[.。]$/);
    }
    for (const reason of reasons) expect(words.reasonText(reason)).toMatch(/[.。]$/);
    for (const reason of quarantined) expect(words.quarantineText(reason)).toMatch(/[.。]$/);
  });

  it('every code has a sentence of its own', () => {
    const usual = (all: readonly { code: string }[]) => [
      ...new Map(all.toReversed().map((one) => [one.code, one])).values(),
    ];
    const distinct = (sentences: readonly string[]) => expect(new Set(sentences).size).toBe(sentences.length);
    distinct((usual(errors) as VouchError[]).map(words.errorText));
    distinct((usual(reasons) as VerdictReason[]).map(words.reasonText));
    distinct((usual(quarantined) as QuarantineReason[]).map(words.quarantineText));
    distinct((usual(findings) as HealthFinding[]).map(words.findingText));
    distinct((usual(fixes) as HealthFix[]).map(words.fixText));
  });
});

/** Parameters that a sentence does not show as they are, because it is made by them or they would tell a person nothing. */
const notShown: Partial<Readonly<Record<ErrorCode, readonly string[]>>> = {
  not_found: ['what', 'id'],
  invalid_input: ['channel'],
};

/** How a string is shown where that is not as it is. */
const shownAs: Readonly<Record<string, readonly string[]>> = { cuda: ['CUDA'], auto: ['Auto', '自动'] };

describe.each(everywhere)('in %s, for %s, an error', (language, place) => {
  it('shows what it is about', () => {
    const { errorText } = wordsIn(language, place);
    for (const error of errors) {
      const shown = errorText(error);
      for (const [name, value] of Object.entries(error.params as object)) {
        if (typeof value !== 'string' || notShown[error.code]?.includes(name)) continue;
        const forms = shownAs[value] ?? [value.replace(/\.$/, '')];
        expect(
          forms.some((form) => shown.includes(form)),
          `${shown} (${name} of ${error.code})`,
        ).toBe(true);
      }
    }
  });
});

type Texts = Readonly<Record<string, Text>>;
const namesIn = (text: Text): readonly string[] => {
  if (typeof text === 'string') return [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]!);
  if (!('by' in text)) return (text as readonly Text[]).flatMap(namesIn);
  const { by, ...cases } = text as Readonly<Record<string, Text>>;
  return [by as string, ...Object.values(cases).flatMap(namesIn)];
};

describe.each([
  ['en', en],
  ['zh-CN', zh],
])('the texts of %s', (_, catalogue) => {
  it.each<[string, Texts, Readonly<Record<string, readonly { params: object }[]>>]>([
    ['errors', catalogue.error, Object.groupBy(errors, ({ code }) => code) as never],
    ['reasons', catalogue.reason, Object.groupBy(reasons, ({ code }) => code) as never],
    ['quarantine', catalogue.quarantine, Object.groupBy(quarantined, ({ code }) => code) as never],
    ['findings', catalogue.finding, Object.groupBy(findings, ({ code }) => code) as never],
    ['fixes', catalogue.fix, Object.groupBy(fixes, ({ code }) => code) as never],
  ])('of %s are of codes that there are, and name only their parameters', (_name, texts, examples) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(examples).sort());
    for (const [code, text] of Object.entries(texts)) {
      const params = ['place', ...Object.keys(examples[code]![0]!.params)];
      expect(
        namesIn(text).filter((name) => !params.includes(name)),
        code,
      ).toEqual([]);
    }
  });
});

describe('the two languages', () => {
  it('say nothing in the same words, but what is a path', () => {
    const [en, zh] = languages.map((language) => wordsIn(language, 'window'));
    const same = errors.filter((error) => en!.errorText(error) === zh!.errorText(error)).map(({ code }) => code);
    expect(same).toEqual([]);
    expect(reasons.filter((reason) => en!.reasonText(reason) === zh!.reasonText(reason))).toEqual([]);
    expect(quarantined.filter((reason) => en!.quarantineText(reason) === zh!.quarantineText(reason))).toEqual([]);
    expect(findings.filter((finding) => en!.findingText(finding) === zh!.findingText(finding))).toEqual([
      { code: 'home', params: { path: '/photos/a.jpg' } },
    ]);
    expect(fixes.filter((fix) => en!.fixText(fix) === zh!.fixText(fix))).toEqual([]);
  });
});

describe('a verdict’s reason in words', () => {
  const labrador = { name: 'Labrador retriever', score: 0.912 };
  it.each<[VerdictReason, string]>([
    [{ code: 'seen', params: { concept: 'dog', evidence: [labrador] } }, 'Saw “dog”: Labrador retriever 0.91.'],
    [{ code: 'not_seen', params: { concept: 'elephant', evidence: [] } }, 'Did not see “elephant”.'],
    [
      { code: 'look_alike', params: { concept: 'dog', evidence: [] } },
      'Could be “dog” or something that looks like it.',
    ],
    [
      { code: 'words_not_checked', params: { words: ['running'], evidence: [labrador] } },
      'Saw Labrador retriever 0.91. Nothing here can check “running”.',
    ],
    [
      { code: 'words_not_checked', params: { words: ['old', 'happy'], evidence: [] } },
      'Nothing here can check “old” and “happy”.',
    ],
    [
      { code: 'count_not_reached', params: { concept: 'dogs', wanted: 3, found: 1 } },
      'Counted 1 of “dogs”; the statement asks for 3.',
    ],
    [
      { code: 'not_all_checked', params: { cut: ['a cat', 'a cow'] } },
      'Not all of the statement was checked; left out: “a cat” and “a cow”.',
    ],
  ])('%j', (reason, text) => {
    expect(reasonText(reason)).toBe(text);
    expect(wordsIn('en', 'window').reasonText(reason)).toBe(text);
  });
});

describe('an error in words', () => {
  it.each<[VouchError, string]>([
    [
      vouchError('nothing_left', { text: 'probably, perhaps', removed: ['probably', 'perhaps'] }),
      'Nothing is left to check in “probably, perhaps” without “probably” and “perhaps”. Name something a photo can show.',
    ],
    [
      vouchError('set_invalid', { file: 'a.yaml', line: 4, field: 'statements[0].yes', problem: 'must be at most 1' }),
      'a.yaml, line 4: statements[0].yes must be at most 1.',
    ],
    [
      vouchError('photo_unusable', {
        path: 'a.jpg',
        reason: { code: 'not_an_image', params: { found: 'plain text' } },
      }),
      'a.jpg: Not an image: the content is plain text.',
    ],
    [vouchError('not_found', { what: 'verdict', id: 'v1' }), 'There is no verdict v1.'],
    [
      vouchError('store_corrupt', { path: '/h', setAside: '/h/x', backup: '/h/b', detail: 'malformed' }),
      'The database in /h is damaged: malformed. It was kept as /h/x. Bring back the newest backup: vouch restore /h/b',
    ],
    [vouchError('pack_unknown', { id: 'x', known: ['a', 'b'] }), 'There is no model pack x. Installed: a and b.'],
  ])('%j', (error, text) => {
    expect(errorText(error)).toBe(text);
  });

  it('tells apart what the window once told as one fault', () => {
    const { errorText: inWindow } = wordsIn('en', 'window');
    expect(inWindow(vouchError('pack_unknown', { id: 'x', known: [] }))).toBe(
      'There is no model pack x. None is installed.',
    );
    expect(inWindow(vouchError('queue_full', { detail: '64 wait' }))).toBe(
      'Too many photos are waiting (64 wait). Try again in a moment.',
    );
    expect(inWindow(vouchError('timed_out', { limitMs: 5000 }))).toBe(
      'The model did not answer within 5,000 ms. Try again.',
    );
    expect(inWindow(vouchError('precision_unavailable', { precision: 'int8', detail: 'x has fp32' }))).toBe(
      'The precision int8 cannot be used: x has fp32. Choose another one in Engine.',
    );
  });
});

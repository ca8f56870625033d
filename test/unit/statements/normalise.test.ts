import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NormalisedStatement } from '../../../main/contract/statement.ts';
import { noColloquial, readColloquial } from '../../../main/statements/colloquial.ts';
import { asWritten, hypothesisHash, normalise } from '../../../main/statements/normalise.ts';

const file = resolve(import.meta.dirname, '../../../resources/statements/colloquial.yaml');
const table = readColloquial(readFileSync(file, 'utf8'), file);
if (!table.ok) throw new Error(JSON.stringify(table.error));
const colloquial = table.value;

/** Words, and each Chinese character by itself. */
const countTokens = (part: string): number => (part.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? []).length;
const options = { countTokens, maxTokens: 32, colloquial };

const sent = (text: string, more: Partial<typeof options> = {}): NormalisedStatement => {
  const result = normalise(text, { ...options, ...more });
  if (!result.ok) throw new Error(`nothing left of ${text}`);
  return result.value;
};

describe('hedges are removed', () => {
  it.each([
    ['Probably a dog.', ['a dog'], ['Probably']],
    ['a dog, perhaps, on a bed', ['a dog, on a bed'], ['perhaps']],
    ['maybe a dog or maybe a cat', ['a dog or a cat'], ['maybe', 'maybe']],
    ['It seems that a dog is running', ['a dog is running'], ['It seems that']],
    ['it seems a dog is running', ['a dog is running'], ['it seems']],
    ['I think that it is a cat', ['it is a cat'], ['I think that']],
    ["I'm not sure but a cat is here", ['a cat is here'], ["I'm not sure but"]],
    ['There might be a dog', ['There is a dog'], ['might be']],
    ['There may be two dogs', ['There are two dogs'], ['may be']],
    ['the boys could be brothers', ['the boys are brothers'], ['could be']],
    ['it might not be a dog', ['it is not a dog'], ['might not be']],
    ['May be a cat', ['a cat'], ['May be']],
    ['the dog seems to be happy', ['the dog is happy'], ['seems to be']],
    ['It looks like a dog', ['a dog'], ['It looks like']],
    ['a dog is most likely running', ['a dog is running'], ['most likely']],
    ['a dog, and perhaps', ['a dog'], ['perhaps']],
    ['大概是一只狗', ['是一只狗'], ['大概']],
    ['一只狗可能在跑', ['一只狗在跑'], ['可能']],
    ['似乎有一只猫，好像在睡觉', ['有一只猫，在睡觉'], ['似乎', '好像']],
    ['也许是狗', ['是狗'], ['也许']],
    ['一只猫看起来很高兴', ['一只猫很高兴'], ['看起来']],
  ])('%s', (text, parts, removed) => {
    expect(sent(text)).toMatchObject({ parts, removed });
  });
});

describe('words that only look like hedges stay', () => {
  it.each([
    'a photo taken in May',
    'May Day in London',
    'a man who looks like a pirate',
    'the dog likes water',
    'a person like any other',
    'the might of the sea',
    'a likely candidate',
    'a sign that says "maybe tomorrow"',
    'a ghost appears in the mirror',
    'an improbably large dog',
    '这不可能是猫',
    '下雨的可能性很大',
    'nothing is impossible',
  ])('%s', (text) => {
    expect(sent(text)).toMatchObject({ parts: [text], removed: [], replaced: [], cut: [] });
  });
});

describe('long text is split', () => {
  it.each([
    ['A dog. A cat', ['A dog', 'A cat']],
    ['a dog. a cat! a bird?', ['a dog', 'a cat', 'a bird']],
    ['a dog; a cat', ['a dog', 'a cat']],
    ['一只狗。一只猫；一只鸟', ['一只狗', '一只猫', '一只鸟']],
    ['Mr. Smith and Dr. Jones. A cat', ['Mr. Smith and Dr. Jones', 'A cat']],
    ['the U.S. flag', ['the U.S. flag']],
    ['bus No. 5', ['bus No. 5']],
    ['a 3.5 inch disk', ['a 3.5 inch disk']],
    ['a sign that says "Stop. Go."', ['a sign that says "Stop. Go."']],
    ['a dog\nrunning', ['a dog running']],
  ])('%s', (text, parts) => {
    expect(sent(text).parts).toEqual(parts);
  });

  it('into at most three parts; the rest is cut, visibly', () => {
    expect(sent('a dog. a cat. a bird. a fish. a cow')).toMatchObject({
      parts: ['a dog', 'a cat', 'a bird'],
      cut: ['a fish', 'a cow'],
    });
  });

  it('hedges that are sentences of their own do not count as parts', () => {
    expect(sent('Perhaps. A dog. Maybe. A cat. It is. A bird.').parts).toEqual(['A dog', 'A cat', 'A bird']);
  });
});

describe('colloquial words', () => {
  it('are replaced, visibly, whole words only', () => {
    expect(sent("A doggo's ball; Cops; copse")).toMatchObject({
      parts: ["A dog's ball", 'Police officers', 'copse'],
      replaced: [
        { from: 'doggo', to: 'dog' },
        { from: 'Cops', to: 'Police officers' },
      ],
    });
    expect(sent('一只狗狗').parts).toEqual(['一只狗']);
  });

  it('may be changed by a table of the user', () => {
    const own = readColloquial('doggo: null\npupper: dog\nwhip: car\n', 'own', colloquial);
    if (!own.ok) throw new Error('unexpected');
    expect(sent('a doggo, a pupper, a whip, a brolly', { colloquial: own.value }).parts).toEqual([
      'a doggo, a dog, a car, a umbrella',
    ]);
    expect(readColloquial('', 'own', colloquial)).toEqual({ ok: true, value: colloquial });
  });

  it.each([
    ['- dog', '', 1],
    ['dog: [1]', 'dog', 1],
    ['a: cat\nwhip: 3', 'whip', 2],
    ['a: b\n\nb: c', 'a', 1],
    ['fine: cat\nwhip: maybe car', 'whip', 2],
    ['a: "unclosed', '', 1],
    ['a: b\na: c', '', 2],
  ])('a table that is wrong is refused with line and word: %j', (yaml, field, line) => {
    const result = readColloquial(yaml, 'own.yaml');
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'colloquial_invalid', params: { file: 'own.yaml', field, line } },
    });
  });
});

describe('the token limit', () => {
  it('cuts a part at a word', () => {
    expect(sent('a big brown dog on a sofa', { maxTokens: 4 })).toMatchObject({
      parts: ['a big brown dog'],
      cut: ['on a sofa'],
      tokens: 4,
    });
    expect(sent('一只狗在沙发上', { maxTokens: 3 }).parts).toEqual(['一只狗']);
  });

  it('drops a part that does not fit at all, and keeps it as cut', () => {
    const letters = (part: string) => part.length;
    expect(sent('hippopotamus. a cat', { countTokens: letters, maxTokens: 6, colloquial: noColloquial })).toMatchObject(
      {
        parts: ['a cat'],
        cut: ['hippopotamus'],
      },
    );
  });

  it('holds for the statement as written', () => {
    expect(asWritten('Perhaps a dog.  A cat', { countTokens, maxTokens: 3 })).toMatchObject({
      ok: true,
      value: { parts: ['Perhaps a dog'], cut: ['. A cat'], removed: [], tokens: 3 },
    });
  });
});

describe('nothing left', () => {
  it.each(['probably, perhaps', '', '   ', '...', 'it is probably', '大概，也许', 'maybe. Perhaps!', '\u200b'])(
    '%j',
    (text) => {
      expect(normalise(text, options)).toMatchObject({ ok: false, error: { code: 'nothing_left', params: { text } } });
    },
  );
});

describe('the language', () => {
  it.each([
    ['a dog', 'en'],
    ['一只狗', 'zh'],
    ['犬がいる', 'ja'],
    ['собака', 'ru'],
    ['개', 'ko'],
    ['un chien', 'fr'],
    ['Ein Hund', 'de'],
    ['una mujer', 'es'],
    ['Las Vegas skyline', 'en'],
    ['Los Angeles', 'en'],
    ['a photo of 长城', 'en'],
    ['cats', 'en'],
    ['🐕', 'und'],
    ['42', 'und'],
  ])('of %s is %s', (text, language) => {
    expect(sent(text).language).toBe(language);
  });
});

describe('for any text', () => {
  const vocabulary = [
    'a',
    'dog',
    'Probably',
    'perhaps,',
    'it seems',
    'that',
    'might',
    'be',
    'may be',
    'and',
    'or',
    'seems',
    'to',
    'likely',
    'is',
    'doggo',
    'kitty cat',
    '。',
    '；',
    ';',
    '. ',
    '! ',
    ',',
    '，',
    '大概',
    '可能',
    '不',
    '性',
    '看起来',
    '像',
    '一只狗',
    '"',
    '“',
    '”',
    'I think',
    'not',
    'Mr.',
    'U.S.',
    '3.5',
    '-',
    '…',
    'looks like',
    'It',
    '\n',
    '\u200b',
    '👩‍👩‍👧',
    'é',
  ];
  const phrase = fc
    .array(fc.constantFrom(...vocabulary), { maxLength: 14 })
    .chain((words) => fc.constantFrom(' ', ' ', '').map((joint) => words.join(joint)));
  const text = fc.oneof(
    phrase,
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const maxTokens = fc.integer({ min: 1, max: 12 });

  it('normalising a part again gives that part', () => {
    fc.assert(
      fc.property(text, maxTokens, (given, most) => {
        const once = normalise(given, { ...options, maxTokens: most });
        if (!once.ok) return;
        for (const part of once.value.parts) {
          const again = sent(part, { maxTokens: most });
          expect(again).toMatchObject({ parts: [part], removed: [], replaced: [], cut: [] });
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('there are one to three parts within the limit, of well-formed text', () => {
    fc.assert(
      fc.property(text, maxTokens, (given, most) => {
        const result = normalise(given, { ...options, maxTokens: most });
        if (!result.ok) return;
        const { parts, tokens } = result.value;
        expect(parts.length).toBeGreaterThanOrEqual(1);
        expect(parts.length).toBeLessThanOrEqual(3);
        for (const part of parts) {
          expect(countTokens(part)).toBeLessThanOrEqual(most);
          expect(part).toMatch(/\S/u);
          expect(/\p{Surrogate}|\p{Cc}/u.test(part)).toBe(false);
        }
        expect(tokens).toBe(parts.reduce((sum, part) => sum + countTokens(part), 0));
      }),
      { numRuns: 1000 },
    );
  });

  it('never fails where a plain noun was written', () => {
    fc.assert(
      fc.property(phrase, (given) => {
        expect(normalise(`${given} zebra`, options).ok).toBe(true);
      }),
    );
  });
});

describe('the hypothesis hash', () => {
  it('is the same for statements that come to the same', () => {
    expect(hypothesisHash(sent('Probably  a dog.'))).toBe(hypothesisHash(sent('a dog')));
    expect(hypothesisHash(sent('a dog'))).toMatch(/^[0-9a-f]{64}$/);
  });
  it('differs with parts and with what was cut', () => {
    const hashes = ['a dog', 'a cat', 'a dog. a cat', 'a dog. a cat. a cow', 'a dog. a cat. a cow. a pig'].map((text) =>
      hypothesisHash(sent(text)),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCount } from '../../../../models/adapters/concept/counts.ts';
import { labelOf } from '../../../../models/tools/fit-report.ts';
import { adapter, type Box, evidence, hypothesisOf } from './pack.ts';

const thresholds = { yes: 0.8, no: 0.72 };
const dogBox: Box = { name: 'dog', score: 0.7, at: [0.1, 0.1, 0.9, 0.9] };
const dogPhoto = evidence({ 'golden retriever': 0.9 }, [dogBox]);
const person = (score: number, left: number): Box => ({ name: 'person', score, at: [left, 0.1, left + 0.2, 0.9] });
const peoplePhoto = evidence({ sandbar: 0.6 }, [person(0.75, 0.1), person(0.7, 0.5)]);

const judge = (photo: Uint8Array, text: string) => adapter.judge(adapter.openEvidence(photo), hypothesisOf(text));
const label = (photo: Uint8Array, text: string) => labelOf(judge(photo, text), thresholds);

describe('a photo of a golden retriever', () => {
  test.each([
    ['a dog', 'yes'],
    ['an animal', 'yes'],
    ['a photo of a golden retriever', 'yes'],
    ['a retriever', 'yes'],
    ['a cat', 'no'],
    ['a vehicle', 'no'],
    ['a photo of a yawl', 'no'],
    ['there is no dog', 'no'],
    ['there is no vehicle in the picture', 'yes'],
    ['a dog or a cat', 'yes'],
    ['a dog and a car', 'no'],
    ['neither a car nor a bus', 'yes'],
    ['a cat is sleeping on a bed', 'no'],
    ['a dog is sleeping', 'maybe'],
    ['a white dog', 'maybe'],
    ['the dog has won a prize', 'maybe'],
    ['the dog is waiting for its owner', 'maybe'],
    ['a tulip', 'maybe'],
    ['love', 'maybe'],
  ])('%s: %s', (text, expected) => expect(label(dogPhoto, text)).toBe(expected));

  test('gives the reason that a person can act on', () => {
    expect(judge(dogPhoto, 'a dog').reason).toMatchObject({ code: 'seen', params: { concept: 'dog' } });
    expect(judge(dogPhoto, 'a cat').reason).toMatchObject({ code: 'not_seen', params: { concept: 'cat' } });
    expect(judge(dogPhoto, 'a white dog').caps).toMatchObject([
      { side: 'yes', reason: { code: 'words_not_checked', params: { words: ['white'] } } },
    ]);
  });

  test('explains what was looked at', () => {
    const { concepts, notChecked } = adapter.explain(dogPhoto, hypothesisOf('a white dog without a cat'));
    expect(notChecked).toEqual(['white']);
    expect(concepts.map((c) => [c.words, c.negated])).toEqual([
      ['dog', false],
      ['cat', true],
    ]);
    expect(concepts[0]?.evidence[0]).toMatchObject({ name: 'golden retriever', source: 'classifier' });
  });
});

describe('a photo of two people', () => {
  test.each([
    ['a person', 'yes'],
    ['two people', 'yes'],
    ['nobody is in the picture', 'no'],
    ['exactly one person', 'no'],
    ['a woman', 'maybe'],
    ['two people are playing tennis', 'maybe'],
    ['the people are brothers and sisters', 'maybe'],
    ['the men are scientists', 'maybe'],
    ['a desert without any people', 'no'],
  ])('%s: %s', (text, expected) => expect(label(peoplePhoto, text)).toBe(expected));
});

describe('a photo like none the models were made for', () => {
  const texture = evidence({ doormat: 0.05 });
  test('is never a YES, and says why', () => {
    const { caps, p } = judge(evidence({ doormat: 0.25 }), 'a photo of a doormat');
    expect(p.yes).toBeGreaterThan(0.8);
    expect(caps.map((cap) => [cap.side, cap.reason.code])).toContainEqual(['yes', 'out_of_domain']);
  });
  test('may still be denied', () => expect(label(texture, 'a dog')).toBe('no'));
});

describe('what caps a side under a negation', () => {
  test('no woman: a person is there, but perhaps no woman', () => {
    expect(label(peoplePhoto, 'there is no woman in the picture')).toBe('maybe');
    expect(label(dogPhoto, 'there is no woman in the picture')).toBe('yes');
  });
});

describe('properties', () => {
  const statements = [
    'a dog',
    'no dog',
    'a cat and a dog',
    'two dogs',
    'a man',
    'a beach',
    'a white cat',
    'an animal',
    'a tulip',
  ];
  const photo = fc.record({
    retriever: fc.double({ min: 0, max: 0.9, noNaN: true }),
    score: fc.double({ min: 0.02, max: 0.95, noNaN: true }),
  });

  test('p sums to 1 and is never negative', () => {
    fc.assert(
      fc.property(photo, fc.constantFrom(...statements), ({ retriever, score }, text) => {
        const { p } = judge(evidence({ 'golden retriever': retriever }, [{ ...dogBox, score }]), text);
        expect(p.yes + p.no + p.maybe).toBeCloseTo(1, 6);
        expect(Math.min(p.yes, p.no, p.maybe)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a better detection never makes a concept less likely', () => {
    fc.assert(
      fc.property(photo, fc.double({ min: 0, max: 0.5, noNaN: true }), ({ retriever, score }, more) => {
        const at = (s: number): number =>
          judge(evidence({ 'golden retriever': retriever }, [{ ...dogBox, score: Math.min(0.99, s) }]), 'a dog').p.yes;
        expect(at(score + more)).toBeGreaterThanOrEqual(at(score) - 1e-9);
      }),
    );
  });

  test('a negation is the other side of its statement', () => {
    fc.assert(
      fc.property(photo, ({ retriever, score }) => {
        const of = evidence({ 'golden retriever': retriever }, [{ ...dogBox, score }]);
        expect(judge(of, 'there is no dog').p.yes).toBeCloseTo(judge(of, 'there is a dog').p.no, 9);
      }),
    );
  });

  test('and is no likelier than its parts, or no less likely', () => {
    fc.assert(
      fc.property(photo, ({ retriever, score }) => {
        const of = evidence({ 'golden retriever': retriever }, [{ ...dogBox, score }]);
        const [dog, cat] = [judge(of, 'a dog').p.yes, judge(of, 'a cat').p.yes];
        expect(judge(of, 'a dog and a cat').p.yes).toBeLessThanOrEqual(Math.min(dog, cat) + 1e-9);
        expect(judge(of, 'a dog or a cat').p.yes).toBeGreaterThanOrEqual(Math.max(dog, cat) - 1e-9);
      }),
    );
  });
});

describe('judgeCount', () => {
  test.each([
    [{ sure: 2, possible: 2 }, { least: 2, exact: false, vague: false }, 'yes'],
    [{ sure: 2, possible: 5 }, { least: 2, exact: false, vague: false }, 'open'],
    [{ sure: 3, possible: 3 }, { least: 1, exact: true, vague: false }, 'no'],
    [{ sure: 2, possible: 2 }, { least: 4, exact: true, vague: false }, 'no'],
    [{ sure: 1, possible: 2 }, { least: 3, exact: true, vague: false }, 'open'],
    [{ sure: 5, possible: 9 }, { least: 3, exact: false, vague: true }, 'yes'],
  ] as const)('%o for %o: %s', (boxes, count, expected) => expect(judgeCount(boxes, count)).toBe(expected));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evalFiguresSchema } from '../../../main/contract/cli.ts';
import { type Label, labels } from '../../../main/contract/labels.ts';
import { evaluate, readPairs, type ScoredPair, writePredictions } from '../../../main/verdicts/eval.ts';
import { probabilities } from '../policy/arbitraries.ts';

const pair = (label: Label, given: Label, yes: number, kind: string | null = null, photo = 'a.jpg'): ScoredPair => ({
  pair: { photo, label, kind },
  prediction: { label: given, p: { yes, no: 1 - yes, maybe: 0 }, reasonCode: 'seen' },
});

describe('evaluate', () => {
  it('gives the figures that one gets by hand', () => {
    const figures = evaluate([
      pair('yes', 'yes', 0.9, 'object', 'a.jpg'),
      pair('yes', 'yes', 0.8, 'object', 'a.jpg'),
      pair('yes', 'maybe', 0.6, 'object', 'b.jpg'),
      pair('yes', 'no', 0.1, 'count', 'b.jpg'),
      pair('no', 'no', 0.05, 'count', 'b.jpg'),
      pair('no', 'yes', 0.8, 'count', 'c.jpg'),
      pair('maybe', 'maybe', 0.5, 'unseen', 'c.jpg'),
      pair('maybe', 'yes', 0.7, 'unseen', 'c.jpg'),
    ]);
    expect(figures).toMatchObject({ pairs: 8, photos: 3, accuracy: 4 / 8, coverage: 6 / 8, accuracyDecided: 3 / 6 });
    // Four pairs are not yes, two of them got yes; six are not no, one of them got no.
    expect(figures).toMatchObject({ falseYes: 2 / 4, falseNo: 1 / 6 });
    expect(figures.confusion).toEqual({
      yes: { yes: 2, no: 1, maybe: 1 },
      no: { yes: 1, no: 1, maybe: 0 },
      maybe: { yes: 1, no: 0, maybe: 1 },
    });
    // Over .05: .9 .8 .6 .1 win; over .8: .9 wins, .8 ties: 5.5 of 8.
    expect(figures.auc).toBeCloseTo(5.5 / 8, 12);
    expect(figures.byKind).toEqual({
      object: { pairs: 3, accuracy: 2 / 3, coverage: 2 / 3, accuracyDecided: 1 },
      count: { pairs: 3, accuracy: 1 / 3, coverage: 1, accuracyDecided: 1 / 3 },
      unseen: { pairs: 2, accuracy: 1 / 2, coverage: 1 / 2, accuracyDecided: 0 },
    });
    expect(evalFiguresSchema.safeParse(figures).success).toBe(true);
  });

  it('measures calibration over 15 bins of equal mass', () => {
    // Thirty pairs, two a bin: 15 times p = .2 with one yes each, so that every gap is |.2 + .2 - 1| / 2 = .3.
    const pairs = Array.from({ length: 30 }, (_, i) => pair(i % 2 === 0 ? 'yes' : 'no', 'maybe', 0.2));
    expect(evaluate(pairs).ece).toBeCloseTo(0.3, 12);
    // Well calibrated at both ends.
    const ends = [...Array(15)].flatMap(() => [pair('no', 'no', 0), pair('yes', 'yes', 1)]);
    expect(evaluate(ends).ece).toBeCloseTo(0, 12);
    // Two pairs fall into bins of their own: (|.9 - 0| + |.7 - 1|) / 2.
    expect(evaluate([pair('no', 'yes', 0.9), pair('yes', 'yes', 0.7)]).ece).toBeCloseTo(0.6, 12);
  });

  it('is null where there is nothing to divide by', () => {
    expect(evaluate([])).toEqual({
      pairs: 0,
      photos: 0,
      accuracy: null,
      coverage: null,
      accuracyDecided: null,
      falseYes: null,
      falseNo: null,
      auc: null,
      ece: null,
      confusion: Object.fromEntries(labels.map((label) => [label, { yes: 0, no: 0, maybe: 0 }])),
      byKind: {},
    });
    expect(evaluate([pair('yes', 'maybe', 0.5)])).toMatchObject({
      accuracyDecided: null,
      falseYes: null,
      falseNo: 0,
      auc: null,
      coverage: 0,
    });
  });

  const scored: fc.Arbitrary<ScoredPair> = fc.record({
    pair: fc.record({
      photo: fc.constantFrom('a', 'b', 'c'),
      label: fc.constantFrom(...labels),
      kind: fc.constantFrom(null, 'x', 'y', '__proto__'),
    }),
    prediction: fc.record({
      label: fc.constantFrom(...labels),
      p: fc.option(probabilities, { nil: null }),
      reasonCode: fc.constant('seen' as const),
    }),
  });

  it('keeps its figures consistent', () => {
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 60 }), (pairs) => {
        const figures = evaluate(pairs);
        expect(evalFiguresSchema.safeParse(figures).success).toBe(true);
        const cells = labels.flatMap((truth) => labels.map((given) => figures.confusion[truth][given]));
        expect(cells.reduce((a, b) => a + b, 0)).toBe(pairs.length);
        if (figures.accuracyDecided !== null && figures.coverage !== null) {
          const right = figures.confusion.yes.yes + figures.confusion.no.no;
          expect(figures.accuracyDecided * figures.coverage * pairs.length).toBeCloseTo(right, 9);
        }
        const ofKinds = Object.values(figures.byKind).reduce((sum, kind) => sum + kind.pairs, 0);
        expect(ofKinds).toBe(pairs.filter((one) => one.pair.kind !== null).length);
      }),
    );
  });

  it('does not depend on the order of the pairs', () => {
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 40 }), (pairs) => {
        const there = evaluate(pairs);
        const back = evaluate(pairs.toReversed());
        expect(back.auc ?? -1).toBeCloseTo(there.auc ?? -1, 12);
        expect(back.ece ?? -1).toBeCloseTo(there.ece ?? -1, 12);
        expect(back.confusion).toEqual(there.confusion);
      }),
    );
  });

  it('ranks: auc is 1 for a perfect score, 0 for its mirror', () => {
    const some = fc.array(fc.double({ min: 0, max: 0.49, noNaN: true }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(some, some, (low, high) => {
        const pairs = [...low.map((p) => pair('no', 'no', p)), ...high.map((p) => pair('yes', 'yes', p + 0.5))];
        expect(evaluate(pairs).auc).toBe(1);
        expect(evaluate(pairs.map((s) => pair(s.pair.label, 'maybe', 1 - s.prediction.p!.yes))).auc).toBe(0);
      }),
    );
  });
});

describe('PAIRS.tsv', () => {
  const text = 'photo\tlabel\tkind\tstatement\na.jpg\tyes\tobject\ta dog\r\n\nb.jpg\tmaybe\tunseen\t猫; a cat\n';

  it('is read by the names of its columns, and written back with predictions', () => {
    const file = readPairs(`\uFEFF${text}`, 'pairs.tsv');
    if (!file.ok) throw new Error(JSON.stringify(file.error));
    expect(file.value.pairs).toMatchObject([
      { photo: 'a.jpg', label: 'yes', kind: 'object', statement: 'a dog' },
      { photo: 'b.jpg', label: 'maybe', kind: 'unseen', statement: '猫; a cat' },
    ]);
    const written = writePredictions(file.value, (_, i) =>
      i === 0
        ? { label: 'yes', p: { yes: 0.9, no: 0.1, maybe: 0 }, reasonCode: 'seen' }
        : { label: 'maybe', p: null, reasonCode: 'flat' },
    );
    expect(written).toBe(
      'photo\tlabel\tkind\tstatement\tpredicted\tp_yes\tp_no\tp_maybe\treason_code\n' +
        'a.jpg\tyes\tobject\ta dog\tyes\t0.900000\t0.100000\t0.000000\tseen\n' +
        'b.jpg\tmaybe\tunseen\t猫; a cat\tmaybe\t\t\t\tflat\n',
    );
    expect(readPairs(written, 'predictions.tsv')).toMatchObject({ ok: true });
  });

  it('may lack kinds', () => {
    expect(readPairs('label\tstatement\tphoto\nno\ta dog\ta.jpg', 'x')).toMatchObject({
      ok: true,
      value: { pairs: [{ kind: null, photo: 'a.jpg', label: 'no' }] },
    });
  });

  it.each([
    ['', 1, 'column "photo"'],
    ['photo\tlabel\n', 1, 'column "statement"'],
    ['photo\tlabel\tstatement\tlabel\n', 1, 'column "label"'],
    ['photo\tlabel\tstatement\na\tyes\n', 2, 'has 2 columns'],
    ['photo\tlabel\tstatement\n\na\tYES\tx\n', 3, 'not "YES"'],
    ['photo\tlabel\tstatement\na\tyes\t \n', 2, 'empty'],
  ])('that is wrong is refused with its line: %j', (given, line, problem) => {
    expect(readPairs(given, 'pairs.tsv')).toMatchObject({
      ok: false,
      error: { code: 'pairs_invalid', params: { file: 'pairs.tsv', line, problem: expect.stringContaining(problem) } },
    });
  });
});

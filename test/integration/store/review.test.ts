import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Label, labels } from '../../../main/contract/labels.ts';
import { longestNote } from '../../../main/contract/review.ts';
import { writeReviewLog } from '../../../main/review/review-log.ts';
import { undoLast } from '../../../main/review/undo.ts';
import type { NewReview, StatementRecord, Store } from '../../../main/store/types.ts';
import { dogs, judged, judging, listByPath, markCounts, newHome, open, verdict } from './open.ts';

const by = (kind: NewReview['kind'], label?: Label, at = 1): NewReview => ({
  kind,
  ...(label && { label }),
  reviewer: 'Ann',
  at,
});

/** Photos a.jpg, b.jpg ... each with one verdict on "a dog". */
const judgedPhotos = async (
  given: readonly Label[],
  home?: string,
): Promise<{ store: Store; dog: StatementRecord; ids: string[] }> => {
  const store = await open(home);
  const [dog] = await dogs(store);
  const files = given.map((label, i) => judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, label)]));
  await store.photos.recordJudged(judging(), files);
  const items = await listByPath(store);
  return { store, dog: dog!, ids: items.map(({ id }) => id) };
};

describe('reviews', () => {
  it('make the effective label, and leave the verdict as it was', async () => {
    const { store, ids } = await judgedPhotos(['maybe', 'yes']);
    const [review] = await store.reviews.add([{ verdict: ids[0]! }], { ...by('override', 'no'), note: 'a fox' });
    expect(review).toMatchObject({
      before: 'maybe',
      after: 'no',
      note: 'a fox',
      verdict: { id: ids[0], label: 'maybe' },
    });
    expect((await listByPath(store)).find(({ id }) => id === ids[0])).toMatchObject({
      label: 'maybe',
      effectiveLabel: 'no',
      reviewed: true,
      wantsReview: false,
    });
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 1, maybe: 0 });
    expect(await markCounts(store)).toMatchObject({ wantsReview: 0, reviewed: 1 });
  });

  it('stay when the photo is judged again, and show where they disagree', async () => {
    const { store, dog, ids } = await judgedPhotos(['maybe']);
    await store.reviews.add([{ verdict: ids[0]! }], by('override', 'no'));
    await store.photos.recordJudged(judging(), [judged('/p/0.jpg', 'photo 0', [verdict(dog, 'yes')])]);
    expect((await store.verdicts.list({ disagrees: true }, { limit: 9 })).items).toMatchObject([
      { label: 'yes', effectiveLabel: 'no' },
    ]);
    await store.photos.recordJudged(judging({ packId: 'other' }), [
      judged('/p/0.jpg', 'photo 0', [verdict(dog, 'yes')]),
    ]);
    await store.statements.setPack('pets', 'other');
    expect((await store.verdicts.list({}, { limit: 9 })).items).toMatchObject([
      { model: 'other', effectiveLabel: 'no' },
    ]);
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('can be made on a verdict that has been replaced meanwhile', async () => {
    const { store, dog, ids } = await judgedPhotos(['maybe']);
    await store.photos.recordJudged(judging(), [judged('/p/0.jpg', 'photo 0', [verdict(dog, 'no')])]);
    const [review] = await store.reviews.add([{ verdict: ids[0]! }], by('confirm'));
    // What was in sight is confirmed, and the newer verdict that says otherwise is told of.
    expect(review).toMatchObject({
      label: 'maybe',
      before: 'no',
      after: 'maybe',
      verdict: { id: ids[0], label: 'maybe' },
    });
    expect(await markCounts(store)).toMatchObject({ disagrees: 1, wantsReview: 0 });
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('are taken back sixty times after the store was opened again, flags among them, the last first', async () => {
    const home = newHome();
    const { store, dog, ids } = await judgedPhotos(Array(40).fill('maybe'), home);
    const photos = (await listByPath(store)).map(({ photo }) => photo);
    for (const [i, verdict] of ids.entries()) {
      await store.reviews.add([{ verdict }], { ...by('override', i % 2 ? 'yes' : 'no'), at: i });
      const target = [{ photo: photos[i]!, statementId: dog.id }];
      if (i % 2) await store.flags.set(target, `flag ${i}`, 'Ann', i);
    }
    await store.close();
    const again = await open(home);
    const undone: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const { decisions, flags } = await undoLast(again, 'Ann', 100 + step);
      expect(decisions.length + flags.length).toBe(1);
      undone.push(decisions[0]?.path ?? flags[0]!.path);
    }
    const acts = photos.flatMap((photo, i) => (i % 2 ? [photo, photo] : [photo]));
    const paths = new Map((await listByPath(again)).map(({ photo, path }) => [photo, path]));
    expect(undone).toEqual(acts.map((photo) => paths.get(photo)).toReversed());
    expect(await undoLast(again, 'Ann', 200)).toEqual({ decisions: [], flags: [] });
    expect(await markCounts(again)).toMatchObject({ flagged: 0, reviewed: 0, wantsReview: 40 });
    expect((await again.upkeep.check()).problems).toEqual([]);
  });

  it('are written to a file with their notes as they are, as no formula, and in one step', async () => {
    const home = newHome();
    const { store, ids } = await judgedPhotos(['maybe', 'maybe'], home);
    const formula = '=cmd|\' /C calc\'!A0 "quoted", 🦝 浣熊\nnext line';
    const long = '🦝'.repeat(longestNote / 2);
    for (const [i, note] of [formula, long].entries())
      await store.reviews.add([{ verdict: ids[i]! }], { ...by('override', 'no'), note });
    const csv = join(home, 'trail.csv');
    expect(await writeReviewLog(store, 'csv', csv)).toBe(2);
    const written = readFileSync(csv, 'utf8');
    expect(written.startsWith('\ufeffat,')).toBe(true);
    expect(written).toContain(`,"'${formula.replaceAll('"', '""')}",`);
    expect(written).toContain(`,${long},`);
    const lines = join(home, 'trail.jsonl');
    await writeReviewLog(store, 'jsonl', lines);
    const notes = readFileSync(lines, 'utf8').trim().split('\n');
    expect(notes.map((line) => JSON.parse(line).note)).toEqual([formula, long]);
    // What cannot be written is said, and what was there stays.
    const taken = join(home, 'taken.csv');
    mkdirSync(taken);
    for (const place of [taken, join(csv, 'below.csv')])
      await expect(writeReviewLog(store, 'csv', place)).rejects.toMatchObject({ error: { code: 'export_failed' } });
    expect(readdirSync(home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('hold for a photo whose file goes while it is looked at', async () => {
    const { store, ids } = await judgedPhotos(['maybe', 'maybe']);
    await store.photos.markGone(['/p/0.jpg']);
    const [review] = await store.reviews.add([{ verdict: ids[0]! }], by('override', 'yes'));
    expect(review).toMatchObject({ after: 'yes' });
    expect(await markCounts(store)).toMatchObject({ wantsReview: 1, reviewed: 0 });
    expect(await store.reviews.undo({ reviewer: 'Ann', at: 9 })).toHaveLength(1);
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('refuse an unknown verdict and then keep none of the others', async () => {
    const { store, ids } = await judgedPhotos(['yes']);
    const unknown = { verdict: '01970000-0000-7000-8000-000000000001' };
    await expect(store.reviews.add([{ verdict: ids[0]! }, unknown], by('confirm'))).rejects.toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await store.reviews.list({ limit: 9 })).toEqual([]);
  });

  it('made together are undone together, step by step, by whom they belong to', async () => {
    const { store, ids } = await judgedPhotos(['maybe', 'maybe', 'maybe']);
    await store.reviews.add(
      ids.map((id) => ({ verdict: id })),
      by('override', 'yes'),
    );
    await store.reviews.add([{ verdict: ids[0]! }], { ...by('override', 'no'), reviewer: 'Bob' });
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 2, no: 1, maybe: 0 });
    expect(await store.reviews.undo({ reviewer: 'Bob', mine: true, at: 2 })).toMatchObject([
      { before: 'no', after: 'yes' },
    ]);
    expect(await store.reviews.undo({ reviewer: 'Bob', mine: true, at: 2 })).toEqual([]);
    expect(await store.reviews.undo({ reviewer: 'Bob', at: 3 })).toHaveLength(3);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: 3 });
    expect(await store.reviews.undo({ reviewer: 'Ann', at: 4 })).toEqual([]);
    expect(await store.reviews.list({ limit: 100 })).toHaveLength(8);
  });

  it('skipped hide a pair until the queue is reset', async () => {
    const { store, ids } = await judgedPhotos(['maybe', 'maybe']);
    await store.reviews.add([{ verdict: ids[0]! }], by('skip'));
    const queue = () => store.verdicts.list({ wantsReview: true }, { limit: 9 });
    expect((await queue()).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await store.reviews.resetSkips('Ann', 2)).toBe(1);
    expect((await queue()).total).toBe(2);
  });

  it('cannot be changed or deleted, nor can verdicts', async () => {
    const { store, ids } = await judgedPhotos(['yes']);
    await store.reviews.add([{ verdict: ids[0]! }], by('confirm'));
    await store.close();
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(store.file);
    for (const table of ['reviews', 'verdicts']) {
      expect(() => db.exec(`DELETE FROM ${table}`)).toThrow('append-only');
      expect(() => db.exec(`UPDATE ${table} SET label = 0`)).toThrow('append-only');
    }
    db.close();
  });

  it('of any kind and order leave counts, queues and history as a plain model says', async () => {
    const { store, ids } = await judgedPhotos(['yes', 'no', 'maybe']);
    const verdictLabels: readonly Label[] = ['yes', 'no', 'maybe'];
    const action = fc.record({
      kind: fc.constantFrom('confirm', 'override', 'skip', 'undo'),
      pair: fc.integer({ min: 0, max: 2 }),
      label: fc.constantFrom(...labels),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 10 }), async (actions) => {
        const done: { pair: number; label: Label | null }[] = [];
        for (const { kind, pair, label } of actions) {
          if (kind === 'undo') {
            const undone = await store.reviews.undo({ reviewer: 'Ann', at: 1 });
            expect(undone).toHaveLength(done.pop() ? 1 : 0);
          } else {
            await store.reviews.add(
              [{ verdict: ids[pair]! }],
              by(kind as 'skip', kind === 'override' ? label : undefined),
            );
            done.push({ pair, label: kind === 'skip' ? null : kind === 'confirm' ? verdictLabels[pair]! : label });
          }
        }
        const expected = verdictLabels.map(
          (own, pair) => done.findLast((step) => step.pair === pair && step.label !== null)?.label ?? own,
        );
        const items = await listByPath(store);
        expect(items.map(({ effectiveLabel }) => effectiveLabel)).toEqual(expected);
        const counts = { yes: 0, no: 0, maybe: 0 };
        for (const label of expected) counts[label] += 1;
        expect(await store.verdicts.countByLabel()).toEqual(counts);
        while ((await store.reviews.undo({ reviewer: 'Ann', at: 1 })).length > 0);
      }),
      { numRuns: 25 },
    );
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 1, maybe: 1 });
    expect((await store.upkeep.check()).problems).toEqual([]);
  });
});

describe('flags', () => {
  it('send pairs or whole photos to spot-check until cleared or decided', async () => {
    const { store, dog, ids } = await judgedPhotos(['yes', 'no']);
    const items = await listByPath(store);
    const [first, second] = items.map(({ photo }) => photo);
    await store.flags.set([{ photo: first!, statementId: dog.id }], 'looks odd', 'Ann', 1);
    await store.flags.set([{ photo: second!, statementId: null }], 'check', 'Bob', 2);
    expect(await markCounts(store)).toMatchObject({ flagged: 2, wantsReview: 2 });
    await store.reviews.add([{ verdict: ids[0]! }], by('confirm'));
    expect((await store.verdicts.list({ flagged: true }, { limit: 9 })).items.map(({ photo }) => photo)).toEqual([
      second,
    ]);
    await store.reviews.undo({ reviewer: 'Ann', at: 3 });
    expect(await markCounts(store)).toMatchObject({ flagged: 2 });
    await store.flags.clear([{ photo: second!, statementId: null }], 'fine', 'Ann', 4);
    expect(await markCounts(store)).toMatchObject({ flagged: 1, wantsReview: 1 });
    expect(await store.flags.list(second!)).toMatchObject([
      { set: false, reason: 'fine', by: 'Ann' },
      { set: true, reason: 'check', by: 'Bob', statementId: null },
    ]);
    const decisions = await store.reviews.list({ photo: first!, limit: 9 });
    expect(decisions.map(({ kind }) => kind)).toEqual(['undo', 'confirm']);
    expect(await store.flags.list(first!)).toMatchObject([{ set: true, reason: 'looks odd', statementId: dog.id }]);
  });

  it('are taken back in the order of acts, as they were said before', async () => {
    const { store, dog, ids } = await judgedPhotos(['yes', 'no', 'yes']);
    const items = await listByPath(store);
    const [first, second] = items.map(({ photo }) => ({ photo, statementId: dog.id }));
    const flagged = async () => (await markCounts(store)).flagged;
    await store.flags.set([second!], 'odd', 'Bob', 1);
    await store.flags.set([first!], 'a wolf', 'Ann', 2);
    await store.reviews.add([{ verdict: ids[2]! }], by('confirm'));
    expect(await store.flags.undo('Ann', 3)).toEqual([]);
    await store.flags.clear([first!, second!], '', 'Ann', 4);
    expect(await flagged()).toBe(0);
    expect(await store.flags.undo('Ann', 5)).toMatchObject([
      { ...first, set: true, reason: 'a wolf', by: 'Ann' },
      { ...second, set: true, reason: 'odd', by: 'Bob' },
    ]);
    expect(await flagged()).toBe(2);
    expect(await store.flags.undo('Ann', 6)).toEqual([]);
    await store.reviews.undo({ reviewer: 'Ann', mine: true, at: 7 });
    expect(await store.flags.undo('Ann', 8)).toMatchObject([{ ...first, set: false }]);
    expect(await store.flags.undo('Ann', 9)).toEqual([]);
    expect((await store.verdicts.list({ flagged: true }, { limit: 9 })).items.map(({ photo }) => photo)).toEqual([
      second!.photo,
    ]);
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('that were settled stay settled when a later one is taken back', async () => {
    const { store, dog, ids } = await judgedPhotos(['yes']);
    const [item] = (await store.verdicts.list({}, { limit: 1 })).items;
    const target = { photo: item!.photo, statementId: dog.id };
    await store.flags.set([target], 'odd', 'Ann', 1);
    await store.reviews.add([{ verdict: ids[0]! }], by('confirm'));
    await store.flags.set([target], 'odd still', 'Ann', 2);
    expect(await markCounts(store)).toMatchObject({ flagged: 1 });
    await store.flags.undo('Ann', 3);
    expect(await markCounts(store)).toMatchObject({ flagged: 0 });
  });

  describe('that a statement asks for', () => {
    const fires = async () => {
      const store = await open();
      const { statements } = await store.statements.upsertSet(
        { name: 'danger', statements: [{ text: 'a fire', flag: 'yes' }] },
        'concept-en',
      );
      const fire = statements[0]!;
      const judge = (labels: Readonly<Record<string, 'yes' | 'no'>>, at = 1) =>
        store.photos.recordJudged(
          judging({ at }),
          Object.entries(labels).map(([name, label]) => judged(`/p/${name}.jpg`, name, [verdict(fire, label)])),
        );
      const flagsOf = async (name: string) => store.flags.list((await store.photos.idAt(`/p/${name}.jpg`))!);
      const verdictOf = async (name: string) =>
        (await store.verdicts.list({ path: `/p/${name}.jpg` }, { limit: 1 })).items[0]!;
      return { store, fire, judge, flagsOf, verdictOf };
    };

    it('are made once a verdict has its label, with who and why', async () => {
      const { store, fire, judge, flagsOf } = await fires();
      await judge({ a: 'yes', b: 'no' }, 7);
      const { items } = await store.verdicts.list({ flagged: true, wantsReview: true }, { limit: 9 });
      expect(items.map(({ path }) => path)).toEqual(['/p/a.jpg']);
      expect(await flagsOf('a')).toMatchObject([
        { set: true, reason: 'yes', by: 'statement', statementId: fire.id, at: 7 },
      ]);
      expect(await flagsOf('b')).toEqual([]);
      await judge({ b: 'yes' }, 8);
      expect(await markCounts(store)).toMatchObject({ flagged: 2 });
      expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
    });

    it('are made once, whatever is judged later', async () => {
      const { store, judge, flagsOf } = await fires();
      await judge({ a: 'yes' });
      await judge({ a: 'yes' }, 2);
      await judge({ a: 'no' }, 3);
      expect(await flagsOf('a')).toHaveLength(1);
      expect((await store.verdicts.list({ flagged: true }, { limit: 9 })).total).toBe(1);
    });

    it('are not made again once a person has decided or cleared them', async () => {
      const { store, fire, judge, flagsOf, verdictOf } = await fires();
      await judge({ a: 'yes', b: 'yes', c: 'no' });
      await store.reviews.add([{ verdict: (await verdictOf('a')).id }], by('override', 'no'));
      await store.flags.clear([{ photo: (await verdictOf('b')).photo, statementId: fire.id }], 'a candle', 'Ann', 2);
      await store.reviews.add([{ verdict: (await verdictOf('c')).id }], by('confirm'));
      await judge({ a: 'yes', b: 'yes', c: 'yes' }, 3);
      expect((await store.verdicts.list({ flagged: true }, { limit: 9 })).items).toEqual([]);
      expect(await Promise.all(['a', 'b', 'c'].map(async (name) => (await flagsOf(name)).length))).toEqual([1, 2, 0]);
    });
  });
});

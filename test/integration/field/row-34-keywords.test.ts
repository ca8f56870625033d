import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSidecarEditor } from '../../../main/library/tagging/exiftool.ts';
import { keywordOf } from '../../../main/library/tagging/keywords.ts';
import { openTagger } from '../../../main/library/tagging/tagger.ts';
import { openField, place, until } from './field.ts';

const things = 'dog cat bird fish horse cow sheep tree car bus boat train chair table cup book'.split(' ');

it('row 34: a photo that arrives is tagged, an override takes the tags away, and the user’s keywords survive both', async () => {
  const field = await openField(things.map((thing) => ({ text: `a ${thing}`, tag: thing, yes: 0.5 })));
  const { store } = field;
  const folder = await field.folder();
  await store.folders.upsert(folder, { settings: { tagging: 'xmp' } });
  const { told } = await field.watch(folder);
  const path = join(folder, 'photo.jpg');
  const sidecar = join(folder, 'photo.xmp');
  writeFileSync(
    sidecar,
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>' +
      '<rdf:li>holiday</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>',
  );
  const errors: unknown[] = [];
  const rules = { prefix: 'Vouch', lowestGrade: 'medium' } as const;
  const tagger = openTagger({ store, rules: () => rules, onError: (error) => errors.push(error) });
  const editor = openSidecarEditor();
  const keywords = async () => (await editor.read(sidecar)).subject.toSorted();

  await place(path, 1);
  await until(() => told.judged.length > 0);
  tagger.nudge();
  const { items } = await store.verdicts.list({ label: 'yes' }, { limit: 100 });
  const earned = items
    .filter(({ grade }) => grade !== 'low')
    .map(({ statement }) => keywordOf('Vouch', statement.slice(2)));
  expect(earned.length).toBeGreaterThan(0);
  await until(async () => String(await keywords()) === String([...earned, 'holiday'].toSorted()));

  const review = { kind: 'override', label: 'no', reviewer: 'ann', at: Date.now() } as const;
  await store.reviews.add(
    items.map(({ id }) => ({ verdict: id })),
    review,
  );
  tagger.nudge();
  await until(async () => String(await keywords()) === 'holiday');
  await Promise.all([tagger.close(), editor.close()]);
  expect(errors).toEqual([]);
  expect(existsSync(path)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['photo.jpg', 'photo.xmp']);
  expect(told.quarantined).toEqual([]);
});

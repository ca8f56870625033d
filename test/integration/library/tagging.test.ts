/** Auto-tagging with a real store, real files and the real ExifTool. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SidecarChange } from '../../../main/contract/export.ts';
import { openSidecarEditor } from '../../../main/library/tagging/exiftool.ts';
import type { TagRules } from '../../../main/library/tagging/plan.ts';
import { tagPhotos } from '../../../main/library/tagging/tag-photos.ts';
import { openTagger, tagDue, tagScope } from '../../../main/library/tagging/tagger.ts';
import type { PairScope, StatementRecord, Store } from '../../../main/store/types.ts';
import { judged, judging, newHome, open, sha, verdict } from '../store/open.ts';

type Bags = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
/** A second reader; its types do not know of its `sidecar`. */
const exifr = createRequire(import.meta.url)('exifr') as Readonly<{
  sidecar: (file: string, options: object, segment: string) => Promise<Bags>;
}>;
const samples = resolve(import.meta.dirname, '..', '..', '..', 'resources', 'samples');
const rules: TagRules = { prefix: 'Vouch', lowestGrade: 'high' };
const editor = openSidecarEditor();
const never = new AbortController().signal;
const everything: PairScope = { kind: 'verdicts', filter: {} };
let folder: string;
let store: Store;
let dog: StatementRecord;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-tags-'));
  store = await open();
  [dog] = (
    await store.statements.upsertSet({ name: 'pets', statements: [{ text: 'a dog', tag: 'dog' }] }, 'concept-en')
  ).statements as [StatementRecord];
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => editor.close());

const photoAt = async (name: string, sample = 'cat.jpg'): Promise<string> => {
  const path = join(folder, name);
  await copyFile(join(samples, sample), path);
  return path;
};
const judge = (path: string, label: 'yes' | 'no', changes = {}, content = path) =>
  store.photos.recordJudged(judging(), [judged(path, content, [verdict(dog, label, changes)])]);
const tagging = (mode: 'off' | 'vouch' | 'xmp') => store.folders.upsert(folder, { settings: { tagging: mode } });
const tag = (with_: TagRules = rules) => tagDue({ store, editor }, with_, never);
const verdictAt = async (path: string) => (await store.verdicts.list({ path }, { limit: 1 })).items[0]!;
const say = async (path: string, label: 'yes' | 'no') =>
  store.reviews.add([{ verdict: (await verdictAt(path)).id }], { kind: 'override', label, reviewer: 'ann', at: 1 });
const text = (path: string) => readFile(path, 'utf8').catch(() => null);
const keywordsOf = async (path: string) => (await editor.read(path)).subject.toSorted();
const exportTags = async (scope: PairScope = everything, dryRun = false) => {
  const changes: SidecarChange[] = [];
  let standing = 0;
  for await (const one of tagScope({ store, editor }, rules, scope, dryRun)) {
    changes.push(...one.changes);
    standing += one.standing;
  }
  return { changes, standing };
};

/** As another program leaves it: a rating, keywords of the user's, and a namespace that nobody knows. */
const foreign = (keywords: readonly string[]) => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:mine="http://example.org/mine/1.0/" xmp:Rating="4" mine:Secret="kept">
   <dc:subject><rdf:Bag>${keywords.map((k) => `<rdf:li>${k}</rdf:li>`).join('')}</rdf:Bag></dc:subject>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;

test('a YES at grade high gets a sidecar that ExifTool and exifr read alike; NO takes it away', async () => {
  await tagging('xmp');
  const path = await photoAt('a & b.jpg');
  const before = sha(await readFile(path, 'base64'));
  await judge(path, 'yes');
  await tag();
  const sidecar = `${path}.xmp`;
  expect(await editor.read(sidecar)).toEqual({ subject: ['Vouch|dog'], hierarchical: ['Vouch|dog'] });
  const { dc, lr } = await exifr.sidecar(sidecar, { mergeOutput: false }, 'xmp');
  expect([dc?.subject, lr?.hierarchicalSubject]).toEqual(['Vouch|dog', 'Vouch|dog']);
  await say(path, 'no');
  await tag();
  expect(await readdir(folder)).toEqual(['a & b.jpg']);
  expect(sha(await readFile(path, 'base64'))).toBe(before);
});

test('grade medium is tagged only if the user says so; grade low never', async () => {
  await tagging('xmp');
  const medium = await photoAt('medium.jpg');
  await judge(medium, 'yes', { grade: 'medium', confidence: 0.8 });
  await tag();
  expect(await text(`${medium}.xmp`)).toBeNull();
  await store.tags.queueUnder(folder);
  await tag({ ...rules, lowestGrade: 'medium' });
  expect(await text(`${medium}.xmp`)).toContain('Vouch|dog');
});

test('row 34: keywords, ratings and foreign namespaces of the user survive tagging and withdrawal', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  const sidecar = join(folder, 'IMG.xmp');
  await writeFile(sidecar, foreign(['holiday', 'dog', '2024']));
  await judge(path, 'yes');
  await tag();
  expect(await keywordsOf(sidecar)).toEqual(['2024', 'Vouch|dog', 'dog', 'holiday']);
  expect(await text(sidecar)).toMatch(/Rating>?="?4|<xmp:Rating>4/);
  expect(await text(sidecar)).toContain('kept');
  await say(path, 'no');
  await tag();
  expect(await keywordsOf(sidecar)).toEqual(['2024', 'dog', 'holiday']);
  expect(await text(sidecar)).toContain('kept');
  expect(await readdir(folder)).toEqual(['IMG.jpg', 'IMG.xmp']);
});

test('a keyword that the user had set is never withdrawn', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  await writeFile(`${path}.xmp`, foreign(['Vouch|dog']));
  await judge(path, 'yes');
  await tag();
  await say(path, 'no');
  await tag();
  expect(await keywordsOf(`${path}.xmp`)).toEqual(['Vouch|dog']);
});

test('what Vouch set is known after a restart, and what a person took out stays out', async () => {
  const home = newHome();
  await store.close();
  store = await open(home);
  [dog] = (
    await store.statements.upsertSet({ name: 'pets', statements: [{ text: 'a dog', tag: 'dog' }] }, 'concept-en')
  ).statements as [StatementRecord];
  await tagging('xmp');
  const [kept, taken] = [await photoAt('kept.jpg'), await photoAt('taken.jpg')];
  await judge(kept, 'yes');
  await judge(taken, 'yes');
  await tag();
  await rm(`${taken}.xmp`);
  await store.close();
  store = await open(home);
  await store.tags.queueUnder(folder);
  await tag();
  expect(await text(`${taken}.xmp`)).toBeNull();
  await say(kept, 'no');
  await tag();
  expect(await text(`${kept}.xmp`)).toBeNull();
});

test('a note of what was about to be written, left by a kill, is made true', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  const [photo] = await judge(path, 'yes');
  const claim = {
    photo: photo!.key,
    path,
    sidecar: `${path}.xmp`,
    keyword: 'Vouch|dog',
    tag: 'dog',
    by: 'folder' as const,
  };
  await store.tags.claim([claim], 1);
  await tag();
  expect(await keywordsOf(`${path}.xmp`)).toEqual(['Vouch|dog']);
  await say(path, 'no');
  await tag();
  expect(await text(`${path}.xmp`)).toBeNull();
});

test('two photos that share a sidecar share a keyword until the last one loses it', async () => {
  await tagging('xmp');
  const [jpeg, raw] = [await photoAt('IMG.jpg'), await photoAt('IMG.png')];
  await writeFile(join(folder, 'IMG.xmp'), foreign(['mine']));
  await judge(jpeg, 'yes');
  await judge(raw, 'yes');
  await tag();
  expect(await keywordsOf(join(folder, 'IMG.xmp'))).toEqual(['Vouch|dog', 'mine']);
  await say(jpeg, 'no');
  await tag();
  expect(await keywordsOf(join(folder, 'IMG.xmp'))).toEqual(['Vouch|dog', 'mine']);
  await say(raw, 'no');
  await tag();
  expect(await keywordsOf(join(folder, 'IMG.xmp'))).toEqual(['mine']);
});

test('a photo that moves with its sidecar keeps its tag as Vouch’s own', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  await judge(path, 'yes', {}, 'same');
  await tag();
  await mkdir(join(folder, 'new'));
  const moved = join(folder, 'new', 'IMG.jpg');
  await rename(path, moved);
  await rename(`${path}.xmp`, `${moved}.xmp`);
  await store.photos.markGone([path]);
  await judge(moved, 'yes', {}, 'same');
  await tag();
  expect(await keywordsOf(`${moved}.xmp`)).toEqual(['Vouch|dog']);
  await say(moved, 'no');
  await tag();
  expect(await text(`${moved}.xmp`)).toBeNull();
});

test('in Vouch: a tag without a file; off: what was set is taken back', async () => {
  await tagging('vouch');
  const path = await photoAt('IMG.jpg');
  await judge(path, 'yes');
  await tag();
  const { photo } = await verdictAt(path);
  expect(await store.tags.ofPhoto(photo)).toEqual([{ tag: 'dog', path, sidecar: null }]);
  expect(await readdir(folder)).toEqual(['IMG.jpg']);
  await tagging('xmp');
  await store.tags.queueUnder(folder);
  await tag();
  expect(await store.tags.ofPhoto(photo)).toEqual([{ tag: 'dog', path, sidecar: `${path}.xmp` }]);
  await tagging('off');
  await store.tags.queueUnder(folder);
  await tag();
  expect(await store.tags.ofPhoto(photo)).toEqual([]);
  expect(await readdir(folder)).toEqual(['IMG.jpg']);
});

test('a sidecar that cannot be read is left alone, told of, and tried again', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  await writeFile(`${path}.xmp`, 'this is no XMP');
  await judge(path, 'yes');
  await tag();
  expect(await text(`${path}.xmp`)).toBe('this is no XMP');
  expect((await store.tags.problems()).photos).toBe(1);
  await rm(`${path}.xmp`);
  expect(await store.tags.retry()).toBe(1);
  await tag();
  expect(await text(`${path}.xmp`)).toContain('Vouch|dog');
  expect((await store.tags.problems()).photos).toBe(0);
});

describe('an export of tags', () => {
  test('twice changes nothing; a dry run says what would change and does not', async () => {
    const hash = async () => {
      const hashes = createHash('sha256');
      for (const name of (await readdir(folder)).toSorted())
        hashes.update(name).update(await readFile(join(folder, name)));
      return hashes.digest('hex');
    };
    const [a, b] = [await photoAt('a.jpg'), await photoAt('b.jpg')];
    await writeFile(`${b}.xmp`, foreign(['mine']));
    await judge(a, 'yes');
    await judge(b, 'yes');
    const untouched = await hash();
    const planned = await exportTags(everything, true);
    expect(planned.changes.map(({ added }) => added)).toEqual([['Vouch|dog'], ['Vouch|dog']]);
    expect(await hash()).toBe(untouched);
    expect((await exportTags()).standing).toBe(2);
    for (const sidecar of [`${a}.xmp`, `${b}.xmp`]) {
      const { dc, lr } = await exifr.sidecar(sidecar, { mergeOutput: false }, 'xmp');
      const { subject, hierarchical } = await editor.read(sidecar);
      expect([dc?.subject, lr?.hierarchicalSubject].map((found) => [found].flat())).toEqual([subject, hierarchical]);
    }
    expect(await keywordsOf(`${b}.xmp`)).toEqual(['Vouch|dog', 'mine']);
    const writtenAt = () => Promise.all([a, b].map(async (path) => (await stat(`${path}.xmp`)).mtimeMs));
    const [once, times] = [await hash(), await writtenAt()];
    expect(await exportTags()).toEqual({ changes: [], standing: 2 });
    expect(await hash()).toBe(once);
    expect(await writtenAt()).toEqual(times);
    for (const path of [a, b]) expect(await readFile(path)).toEqual(await readFile(join(samples, 'cat.jpg')));
  });

  test('only what was reviewed is written; what no longer holds is withdrawn; an untagged folder leaves it', async () => {
    const [a, b] = [await photoAt('a.jpg'), await photoAt('b.jpg')];
    await judge(a, 'yes');
    await judge(b, 'no');
    await say(b, 'yes');
    expect((await exportTags({ ...everything, reviewed: true })).changes).toHaveLength(1);
    expect(await text(`${a}.xmp`)).toBeNull();
    await store.tags.queueUnder(null);
    await tag();
    expect(await text(`${b}.xmp`)).toContain('Vouch|dog');
    await say(b, 'no');
    await tag();
    expect(await text(`${b}.xmp`)).toContain('Vouch|dog');
    expect((await exportTags()).changes.find(({ sidecar }) => sidecar === `${b}.xmp`)?.removed).toEqual(['Vouch|dog']);
    expect(await text(`${b}.xmp`)).toBeNull();
    expect(await text(`${a}.xmp`)).toContain('Vouch|dog');
  });
});

test('the tagger tags what is nudged, and ends its processes when closed', async () => {
  await tagging('xmp');
  const path = await photoAt('IMG.jpg');
  let told: () => void = () => undefined;
  const tagged = new Promise<void>((resolve_) => (told = resolve_));
  const errors: unknown[] = [];
  const tagger = openTagger({ store, rules: () => rules, onTagged: () => told(), onError: (e) => errors.push(e) });
  await judge(path, 'yes');
  tagger.nudge();
  await tagged;
  await tagger.close();
  expect(errors).toEqual([]);
  expect(await text(`${path}.xmp`)).toContain('Vouch|dog');
});

test('a failing sidecar keeps no other photo of the handful from its tag', async () => {
  await tagging('xmp');
  const [good, bad] = [await photoAt('good.jpg'), await photoAt('bad.jpg')];
  await writeFile(`${bad}.xmp`, 'broken');
  await judge(good, 'yes');
  await judge(bad, 'yes');
  const subjects = await store.tags.due(10);
  const { failed } = await tagPhotos(subjects, { rules, modeOf: () => 'xmp', by: 'folder' }, { store, editor });
  expect(failed).toHaveLength(1);
  expect(await text(`${good}.xmp`)).toContain('Vouch|dog');
});

test('a photo that was overwritten by another one has no path left, and is done with', async () => {
  await tagging('xmp');
  const path = await photoAt('a.jpg');
  await judge(path, 'yes', {}, 'first content');
  await judge(path, 'no', {}, 'second content');
  // Without an end of its own this would go on for ever.
  expect(await tagDue({ store, editor }, rules, AbortSignal.timeout(60_000))).toBeLessThan(10);
  expect(await store.tags.due(10)).toEqual([]);
});

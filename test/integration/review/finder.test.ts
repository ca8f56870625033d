import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgingOptions } from '../../../build/bench/vouch.ts';
import { type Core, openCore } from '../../../main/app/core.ts';
import { errorOf } from '../../../main/failure.ts';
import { locateHome } from '../../../main/home.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { preprocessVersion } from '../../../main/images/preprocess-version.ts';
import type { Judging } from '../../../main/judging/judging.ts';
import { type Finder, openFinder } from '../../../main/review/finder.ts';
import type { Store } from '../../../main/store/types.ts';
import { root } from '../cli/vouch.ts';
import { dogs, info, judged, judging as judgingRecord, verdict } from '../store/open.ts';

const samples = join(root, 'resources', 'samples');
const shown = ['cat.jpg', 'astronaut.jpg', 'brick-wall.jpg'] as const;
const each = 40;
let dir: string;
let core: Core;
let store: Store;
let judging: Judging;
let evidence: readonly Uint8Array[];

/** What the pack saw in a sample, as of a photo of its own. */
const put = async (sample: number, name: string, changes: Parameters<typeof info>[0] = {}): Promise<void> => {
  const [dog] = await dogs(store);
  const { sha256: packSha256 } = judging.pack;
  const blob = evidence[sample];
  await store.photos.recordJudged(judgingRecord({ packSha256 }), [
    judged(`/photos/${name}`, name, [verdict(dog!, 'no')], {
      info: info(changes),
      evidence: blob ? { inputSize: judging.inputSize, preprocessVersion, blob } : null,
    }),
  ]);
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-finder-'));
  core = openCore({
    home: locateHome(join(dir, 'home')),
    entries: join(root, 'dist', 'main'),
    root,
    spawn: spawnNode(),
  });
  store = await core.openStore('write');
  judging = await core.openJudging(judgingOptions);
  const engine = await judging.engine();
  const encoded = await Promise.all(shown.map((name) => engine.encode(join(samples, name))));
  evidence = encoded.map((photo) => {
    if (!photo.ok || !photo.evidence) throw new Error('a sample could not be judged');
    return photo.evidence;
  });
  for (let i = 0; i < each * shown.length; i++) await put(i % shown.length, `${i}-${shown[i % shown.length]}`);
  await put(-1, 'not-judged.jpg');
  const prescreen = { sharpness: 0, deviation: 1, blurred: false, flat: true, small: false, ms: 1 };
  await put(-1, 'flat.jpg', { prescreen });
});
afterAll(async () => {
  await judging.close();
  await store.close();
  await core.close();
  rmSync(dir, { recursive: true, force: true });
});

const opened = (): Finder =>
  openFinder(
    store,
    async () => judging,
    core.home.root,
    () => undefined,
  );

const pathsOf = async (text: string): Promise<readonly string[]> => {
  const sort = { by: 'fit', direction: 'descending' } as const;
  const filter = { fits: { text, likely: true } };
  return (await store.results.page({ filter, sort, cursor: null, limit: 500 })).items.map(({ path }) => path);
};

it('finds what photos show, and tells how many could not be looked at', async () => {
  const finder = opened();
  expect(await finder.find('a cat or a person')).toMatchObject({ searched: each * shown.length, unjudged: 1 });
  const both = await pathsOf('a cat or a person');
  expect(both).toHaveLength(2 * each);
  expect(both.every((path) => /cat|astronaut/.test(path))).toBe(true);
  await finder.find('a cat');
  const cats = await pathsOf('a cat');
  expect(cats).toHaveLength(each);
  expect(cats.every((path) => path.includes('cat'))).toBe(true);
  expect(await finder.find('一只猫')).toMatchObject({ searched: 0 });
  expect(await pathsOf('一只猫')).toEqual([]);
  const nothing = await finder.find('maybe').catch(errorOf);
  expect(nothing).toMatchObject({ code: 'nothing_left' });
});

it('joins a search for the same text, gives up one for another, and can be called off', async () => {
  const finder = opened();
  const [one, same] = await Promise.all([finder.find('a cat'), finder.find('a cat')]);
  expect(same.ranking).toBe(one.ranking);
  expect((await finder.find('a cat')).ranking).toBe(one.ranking);

  const given = finder.find('a dog').catch(errorOf);
  const wanted = await finder.find('a person');
  expect(await given).toMatchObject({ code: 'cancelled' });
  expect(wanted.ranking.text).toBe('a person');
  expect(await pathsOf('a person')).toHaveLength(each);

  const controller = new AbortController();
  const called = finder.find('a dog', { signal: controller.signal }).catch(errorOf);
  controller.abort();
  expect(await called).toMatchObject({ code: 'cancelled' });
  await finder.find('a cat');
  expect(await pathsOf('a cat')).toHaveLength(each);
});

it('looks at photos that were judged since, once it is asked for a fresh look', async () => {
  const finder = opened();
  const first = await finder.find('a cat');
  await put(0, 'another-cat.jpg');
  expect((await finder.find('a cat', { fresh: true })).ranking).toBe(first.ranking);
  finder.outdate();
  expect((await finder.find('a cat')).ranking).toBe(first.ranking);
  const fresh = await finder.find('a cat', { fresh: true });
  expect(fresh.searched).toBe(first.searched + 1);
  expect(await pathsOf('a cat')).toContain('/photos/another-cat.jpg');
  expect((await finder.find('a cat', { fresh: true })).ranking).toBe(fresh.ranking);
});

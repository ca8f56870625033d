/**
 * A store that a Vouch with other rules has written: a real scan, its verdicts decided and stored as that version did.
 * Opened by this Vouch, everything stored is as if it had been decided by the rules of today, and no photo was judged.
 */
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openAppService } from '../../../main/app/app-service.ts';
import { keepSettings } from '../../../main/app/settings-keeper.ts';
import type { Topic } from '../../../main/contract/channels.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { runScan } from '../../../main/library/run-scan.ts';
import { policyVersion } from '../../../main/policy/policy.ts';
import type { NewVerdict, Store } from '../../../main/store/types.ts';
import { policyStamp, readPolicy, writePolicy } from '../../../main/verdicts/local-policy.ts';
import { vouch } from '../cli/vouch.ts';
import { writePhotos } from '../inference/rig.ts';
import { type Library, openLibrary } from '../library/rig.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const patient = { timeout: 120_000 };
const olderVersion = policyVersion - 1;
const entries = 'a dog,a cat,a fox,a cup,a boat,a tree,a house,a bird'.split(',').map((text) => ({ text }));

/** How the other version decided: yes or no from .5 on, sure from .6 on, and nothing flat wanted a review. */
const decidedThen = (verdict: NewVerdict): NewVerdict => {
  const { p } = verdict;
  if (p === null) return { ...verdict, wantsReview: false };
  const [lean, confidence] = p.yes >= p.no ? (['yes', p.yes] as const) : (['no', p.no] as const);
  const label = confidence >= 0.5 ? lean : 'maybe';
  return { ...verdict, label, grade: confidence >= 0.6 ? 'high' : 'medium', wantsReview: label === 'maybe' };
};

/** The store as that version used it. */
const storeThen = (store: Store): Store => ({
  ...store,
  photos: new Proxy(store.photos, {
    get: (photos, name: keyof Store['photos']) =>
      name === 'recordJudged'
        ? (...[judging, files]: Parameters<Store['photos']['recordJudged']>) =>
            photos.recordJudged(
              { ...judging, policy: { ...judging.policy, version: olderVersion } },
              files.map((file) => ({ ...file, verdicts: file.verdicts.map(decidedThen) })),
            )
        : photos[name],
  }),
});

/** Everything of the verdicts and queues that a policy has a say in. */
const decidedIn = async (store: Store) => {
  const { items } = await store.verdicts.list({}, { limit: 1000 });
  const { queues } = await store.queues.counts({});
  return {
    verdicts: items
      .map(({ path, statement, label, effectiveLabel, lean, grade, confidence, wantsReview }) =>
        JSON.stringify([path, statement, label, effectiveLabel, lean, grade, confidence, wantsReview]),
      )
      .toSorted(),
    labels: await store.verdicts.countByLabel(),
    queues: queues.map(({ name, count }) => [name, count]),
  };
};

/** Says of the verdict with this place among those listed by path and statement what a person says. */
const decide = async (store: Store): Promise<void> => {
  const { items } = await store.verdicts.list({}, { limit: 1000 });
  const ordered = items.toSorted((a, b) => (a.path + a.statement < b.path + b.statement ? -1 : 1));
  const add = (place: number, review: Readonly<{ kind: 'confirm' | 'skip' } | { kind: 'override'; label: 'no' }>) =>
    store.reviews.add([{ verdict: ordered[place]!.id }], { ...review, reviewer: 'Ann', at: 5 });
  await add(3, { kind: 'override', label: 'no' });
  await add(11, { kind: 'confirm' });
  await store.reviews.undo({ reviewer: 'Ann', mine: true, at: 6 });
};

const photosIn = async (dir: string) => {
  await writePhotos(dir, 12);
  await sharp({ create: { width: 80, height: 60, channels: 3, background: '#777777' } })
    .jpeg()
    .toFile(join(dir, 'flat.jpg'));
};

const older = async (): Promise<Library> => {
  const library = await openLibrary(entries);
  const { core, store, judging, photos, statements } = library;
  await photosIn(photos);
  const summary = await runScan(core, storeThen(store), judging, {
    roots: [photos],
    statements,
    recheck: { kind: 'none' },
    retryQuarantined: false,
    signal: new AbortController().signal,
  });
  expect(summary.photos).toMatchObject({ found: 13, judged: 13 });
  const { sha256 } = judging.pack;
  const applied = { version: olderVersion, revision: 0 };
  await writePolicy(store, sha256, { ...(await readPolicy(store, sha256)), appliedStamp: applied });
  await decide(store);
  return library;
};

/** What this Vouch makes of the same photos from the start, with the same decisions of a person. */
const fresh = async (dir: string) => {
  const { store, scan } = await openLibrary(entries);
  await scan({ roots: [dir] });
  await decide(store);
  return decidedIn(store);
};

it('is decided again when the app opens it, which tells how far it is', async () => {
  const { core, store, judging, photos, logged } = await older();
  const expected = await fresh(photos);
  const before = await decidedIn(store);
  expect(before.labels).not.toEqual(expected.labels);
  expect(before.queues).not.toEqual(expected.queues);
  const trail = await store.reviews.list({ limit: 100 });
  await store.close();

  const told: [Topic, unknown][] = [];
  const settings = keepSettings(core.home.settings);
  settings.change({ engine: { model: judging.pack.manifest.id } });
  const engines = logged('engine_started').length;
  const service = await openAppService({
    ...{ home: core.home, settings, root, decoder: 'native', backup: null },
    tell: (topic, event) => void told.push([topic, event]),
    entries: join(root, 'dist', 'main'),
    spawn: spawnNode(),
    spawnImage: spawnNode(),
  });
  try {
    const deciding = () => told.flatMap(([topic, event]) => (topic === 'deciding' ? [event] : []));
    await expect.poll(() => deciding().at(-1), patient).toBe(null);
    const pairs = 13 * entries.length;
    expect(deciding()).toMatchObject([{ done: pairs, total: pairs, goingBack: false }, null]);
    expect(await decidedIn(service.store)).toEqual(expected);
    expect(await service.store.reviews.list({ limit: 100 })).toEqual(trail);
    expect(await service.store.upkeep.check()).toEqual({ ok: true, problems: [] });
    const { appliedStamp } = await readPolicy(service.store, judging.pack.sha256);
    expect(appliedStamp).toEqual(policyStamp({ revision: 0 }));
    expect(logged('engine_started')).toHaveLength(engines);
    // What a person had said can still be taken back, and leaves the verdict of today.
    const [undone] = await service.store.reviews.undo({ reviewer: 'Ann', mine: true, at: 7 });
    const { label } = (await service.store.verdicts.list({ photo: undone!.photo }, { limit: 100 })).items.find(
      ({ statement }) => statement === undone!.statement,
    )!;
    expect(undone!.after).toBe(label);
  } finally {
    await service.close();
  }
}, 240_000);

it('is decided again before the command line writes anything to it', async () => {
  const { core, store, photos, logged } = await older();
  const expected = await fresh(photos);
  await store.close();
  const engines = logged('engine_started').length;
  const { code, stderr } = await vouch('queue', '--draw', '1', '--home', core.home.root);
  expect(code, stderr).toBe(0);
  const again = await core.openStore('read');
  try {
    const { queues, ...decided } = await decidedIn(again);
    const { queues: queuesExpected, ...decidedExpected } = expected;
    expect(decided).toEqual(decidedExpected);
    const others = (counts: readonly unknown[][]) => counts.filter(([name]) => name !== 'audit');
    expect(others(queues)).toEqual(others(queuesExpected));
    expect(logged('engine_started')).toHaveLength(engines);
  } finally {
    await again.close();
  }
}, 240_000);

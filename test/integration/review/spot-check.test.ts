import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgingOptions } from '../../../build/bench/vouch.ts';
import { type Core, openCore } from '../../../main/app/core.ts';
import { locateHome } from '../../../main/home.ts';
import type { SpawnHost } from '../../../main/hosts/host.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import type { Judging } from '../../../main/judging/judging.ts';
import { runScan } from '../../../main/library/run-scan.ts';
import { measureBlank } from '../../../main/review/blank-control.ts';
import { keepCheck } from '../../../main/review/keep.ts';
import { qualityView } from '../../../main/review/quality.ts';
import type { Store } from '../../../main/store/types.ts';
import { root } from '../cli/vouch.ts';

const samples = join(root, 'resources', 'samples');
const { signal } = new AbortController();
let dir: string;
let core: Core;
let store: Store;
let judging: Judging;
let inferenceHosts = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-spot-'));
  const entries = join(root, 'dist', 'main');
  const spawn: SpawnHost = (entry, options) => {
    if (entry.includes('inference-host')) inferenceHosts += 1;
    return spawnNode()(entry, options);
  };
  core = openCore({ home: locateHome(join(dir, 'home')), entries, root, spawn });
  store = await core.openStore('write');
  judging = await core.openJudging(judgingOptions);
});
afterAll(async () => {
  await judging.close();
  await store.close();
  await core.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a spot check that is kept', () => {
  it('stores the photo, the statement and the verdict, and not a byte in the file', async () => {
    const photo = join(dir, 'cat.jpg');
    copyFileSync(join(samples, 'cat.jpg'), photo);
    const bytes = readFileSync(photo);
    const kept = await keepCheck(store, judging, photo, 'a cat', signal);
    expect((await store.verdicts.list({}, { limit: 9 })).items.find(({ id }) => id === kept.verdictId)).toMatchObject({
      photo: kept.photoId,
      statement: 'a cat',
      set: 'adhoc',
      label: 'yes',
    });
    expect(await keepCheck(store, judging, photo, 'a dog', signal)).toMatchObject({ photoId: kept.photoId });
    expect(readFileSync(photo)).toEqual(bytes);
  });

  it('keeps nothing of what is no photo', async () => {
    const before = await store.statements.list();
    await expect(keepCheck(store, judging, join(root, 'package.json'), 'a ship', signal)).rejects.toMatchObject({
      error: { code: 'photo_unusable' },
    });
    expect(await store.statements.list()).toEqual(before);
  });
});

describe('the blank-image control', () => {
  it('is measured once, and tells statements that do not depend on the photo', async () => {
    const photos = join(dir, 'photos');
    mkdirSync(photos);
    for (const name of readdirSync(samples).filter((file) => file.endsWith('.jpg'))) {
      copyFileSync(join(samples, name), join(photos, name));
      copyFileSync(join(samples, name), join(photos, `2-${name}`));
      // Other bytes make another photo.
      appendFileSync(join(photos, `2-${name}`), 'x');
    }
    const texts = [{ text: 'an animal' }, { text: 'a flumph is glorping' }];
    const { statements } = await store.statements.upsertSet({ name: 'blank', statements: texts }, 'concept-en');
    const request = {
      roots: [photos],
      statements,
      recheck: { kind: 'none' },
      retryQuarantined: false,
      signal,
    } as const;
    await runScan(core, store, judging, request);
    const hosts = async () => (await judging.engine()).stats().hosts.map(({ pid }) => pid);
    const before = { hosts: await hosts(), started: inferenceHosts };
    expect(await measureBlank(store, judging)).toBe(true);
    // The engine at work looked at it: none was opened for one grey picture.
    expect({ hosts: await hosts(), started: inferenceHosts }).toEqual(before);
    expect(await measureBlank(store, judging)).toBe(false);
    const view = await qualityView(store, judging);
    const depends = (text: string) => view.statements.find(({ statement }) => statement === text)?.dependsOnPhoto;
    expect(depends('an animal')).toBe(true);
    expect(depends('a flumph is glorping')).toBe(false);
    expect(depends('a dog')).toBeNull();
  });
});

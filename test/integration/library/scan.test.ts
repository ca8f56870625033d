import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { defaultFolderSettings } from '../../../main/contract/folder.ts';
import { rulesOf } from '../../../main/library/rules.ts';
import type { ScanProgress } from '../../../main/library/scan-types.ts';
import { walk } from '../../../main/library/walk.ts';
import { policyVersion } from '../../../main/policy/policy.ts';
import { packVerdicts } from '../../../main/store/sql/pack-verdicts.ts';
import type { StatementRecord } from '../../../main/store/types.ts';
import { writePhotos } from '../inference/rig.ts';
import { type Kind, type Library, openLibrary, usual } from './rig.ts';

const kinds = ['separable', 'joint'] as const;

const writeFlat = (path: string, grey: number) =>
  sharp({ create: { width: 200, height: 150, channels: 3, background: { r: grey, g: grey, b: grey } } })
    .png()
    .toFile(path);

const counts = async ({ store }: Library) => {
  const { yes, no, maybe } = await store.verdicts.countByLabel();
  return yes + no + maybe;
};

/** Stores a verdict as a poor moment makes it: of a stepped-down engine, or of one that did not answer in time. */
const judgeBadly = async (
  library: Library,
  path: string,
  statement: StatementRecord,
  how: 'degraded' | 'timed_out',
) => {
  const { store, judging, photos } = library;
  const [prepared] = await judging.rescorer.read([statement]);
  if (!prepared?.ok) throw new Error('the statement cannot be prepared');
  const { hypothesisHash } = prepared.value;
  const { id: packId, version: packVersion } = judging.pack.manifest;
  const freshness = { packId, packSha256: judging.pack.sha256, adapterVersion: judging.rescorer.pack.adapterVersion };
  const file = (await walk(photos, rulesOf(photos, defaultFolderSettings))).files.find((other) => other.path === path)!;
  const [state] = await store.photos.lookup([file], {
    verdicts: { ...freshness, statements: [{ statement: statement.key, hypothesisHash }] },
    evidence: null,
    recheck: { kind: 'none' },
  });
  if (state?.state !== 'known') throw new Error('the photo is not known');
  const timedOut = how === 'timed_out';
  await store.verdicts.append(
    {
      run: null,
      packVersion,
      ...freshness,
      precision: 'fp32',
      device: 'cpu',
      degraded: !timedOut,
      policy: { version: policyVersion, revision: 0 },
      at: 1,
    },
    packVerdicts([
      {
        photo: state.photo.key,
        verdict: {
          statement: statement.key,
          hypothesisHash,
          p: timedOut ? null : { yes: 0.2, no: 0.2, maybe: 0.6 },
          caps: [],
          lean: timedOut ? null : 'maybe',
          confidence: timedOut ? null : 0.6,
          grade: 'low',
          label: 'maybe',
          reason: timedOut ? { code: 'timed_out', params: { limitMs: 1 } } : { code: 'model_score', params: {} },
          wantsReview: true,
        },
      },
    ]),
  );
};

/** What a photo costs: a separable pack looks once, whatever is asked; a joint one is asked about each statement. */
const runsOf = (kind: Kind, photos: number, statements = 2): number =>
  kind === 'joint' ? photos * statements : photos;

describe.each(kinds)('a scan with a %s pack', (kind) => {
  it('judges every photo on every statement, and nothing again', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 6);
    writeFileSync(join(library.photos, 'notes.txt'), 'no photo');
    const first = await library.scan();
    expect(first.photos).toEqual({ found: 6, judged: 6, cached: 0, quarantined: 0, ignored: 1 });
    expect(first.latenciesMs).toHaveLength(6);
    expect(first.engine?.info.device.used).toBe('cpu');
    expect(first.verdicts.yes + first.verdicts.no + first.verdicts.maybe).toBe(12);
    const second = await library.scan();
    expect(second.photos).toEqual({ found: 6, judged: 0, cached: 6, quarantined: 0, ignored: 1 });
    expect(second.verdicts).toEqual(first.verdicts);
    expect(second.engine).toBeNull();
    expect(library.inferred()).toBe(runsOf(kind, 6));
    expect(await library.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  });

  it('judges a new statement at the least cost', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 4);
    await library.scan();
    const bird = await library.addStatements({ text: 'a bird' });
    const next = await library.scan({ statements: [...library.statements, ...bird] });
    // On cached evidence, or one pair a photo.
    expect(next.photos).toMatchObject(kind === 'joint' ? { judged: 4, cached: 0 } : { judged: 0, cached: 4 });
    expect(await counts(library)).toBe(12);
    expect(library.inferred()).toBe(runsOf(kind, 4, 3));
    expect((await library.scan({ statements: [...library.statements, ...bird] })).photos).toMatchObject({ cached: 4 });
    expect(library.inferred()).toBe(runsOf(kind, 4, 3));
  });

  it('says MAYBE to a language that the pack lacks, and keeps every photo', async () => {
    const library = await openLibrary([{ text: '一只狗' }, { text: '一只猫' }], kind);
    await writePhotos(library.photos, 3);
    await writeFlat(join(library.photos, 'flat.png'), 128);
    expect((await library.scan()).photos).toMatchObject({ judged: 4, quarantined: 0 });
    const dog = await library.addStatements({ text: 'a dog' });
    expect((await library.scan({ statements: dog })).photos).toMatchObject({ quarantined: 0 });
    // Where all is known of the photos, no model is needed.
    const bird = await library.addStatements({ text: '一只鸟' });
    const statements = [...library.statements, ...dog, ...bird];
    const last = await library.scanWith({}, { statements });
    expect(last.photos).toMatchObject({ judged: 0, cached: 4, quarantined: 0 });
    expect(last.engine).toBeNull();
    const { items } = await library.store.verdicts.list({}, { limit: 99 });
    const reasons = (text: string) =>
      items.filter(({ statement }) => statement === text).map(({ reason }) => reason.code);
    for (const text of ['一只狗', '一只猫', '一只鸟']) {
      expect(reasons(text).toSorted(), text).toEqual(['flat', ...new Array(3).fill('language_unsupported')]);
    }
    expect(reasons('a dog').toSorted()).toEqual(['flat', 'model_score', 'model_score', 'model_score']);
    expect(library.inferred()).toBe(3);
    expect((await library.scan({ statements })).photos).toMatchObject({ judged: 0, cached: 4 });
    expect(await library.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  });

  it('tells its progress up to the end', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 5);
    const told: ScanProgress[] = [];
    await library.scan({ onProgress: (progress) => told.push(progress) });
    expect(told[0]).toMatchObject({ discovering: false, found: 5, judged: 0 });
    expect(told.at(-1)).toMatchObject({ found: 5, judged: 5, cached: 0, etaMs: 0 });
    expect(told.at(-1)!.photosPerSecond).toBeGreaterThan(0);
  });

  it('keeps what is finished when it is stopped, and goes on from there', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 120);
    const stop = new AbortController();
    const stopped = await library.scan({
      signal: stop.signal,
      onProgress: ({ judged }) => judged > 0 && stop.abort(),
    });
    expect(stopped.interrupted).toBe(true);
    const kept = await counts(library);
    expect(kept).toBe(stopped.photos.judged * 2);
    expect(stopped.photos.judged).toBeGreaterThan(0);
    expect(stopped.photos.judged).toBeLessThan(120);
    const rest = await library.scan();
    expect(rest.interrupted).toBe(false);
    // A photo that was in the engine at the stop may have been stored or not, never twice.
    expect(rest.photos).toMatchObject({ judged: 120 - stopped.photos.judged, cached: stopped.photos.judged });
    expect(await counts(library)).toBe(240);
    expect(await library.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  });

  it('fails when its engine is stopped under it, instead of leaving photos out', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 6);
    const engine = await library.judging.engine();
    await engine.stop();
    await expect(library.scan()).rejects.toMatchObject({ error: { code: 'engine_unavailable' } });
    const { items } = await library.store.verdicts.list({}, { limit: 9 });
    expect(items).toEqual([]);
  });

  it('waits while it is paused', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 3);
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let asked = 0;
    const scanning = library.scan({
      whileRunning: () => {
        asked += 1;
        return gate;
      },
    });
    while (asked < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await counts(library)).toBe(0);
    go();
    expect((await scanning).photos).toMatchObject({ judged: 3 });
  });
});

describe.each(kinds)('a recheck with a %s pack', (kind) => {
  it('of all has the model see every photo again, each content once, and flat ones too', async () => {
    const library = await openLibrary(usual, kind);
    const [first] = await writePhotos(library.photos, 3);
    copyFileSync(first!, join(library.photos, 'copy.jpg'));
    await writeFlat(join(library.photos, 'flat.png'), 128);
    expect((await library.scan()).photos).toMatchObject({ found: 5, judged: 4, cached: 1 });
    expect(library.inferred()).toBe(runsOf(kind, 3));
    const again = await library.scan({ recheck: { kind: 'all' } });
    expect(again.photos).toMatchObject({ found: 5, judged: 4, cached: 1 });
    expect(library.inferred()).toBe(runsOf(kind, 6));
    expect((await library.scan()).photos).toMatchObject({ judged: 0, cached: 5 });
    expect(await counts(library)).toBe(8);
  });

  it('of what is degraded has the model see a photo with a degraded verdict again, and no other', async () => {
    const library = await openLibrary(usual, kind);
    const [first] = await writePhotos(library.photos, 3);
    await writeFlat(join(library.photos, 'flat.png'), 128);
    await library.scan();
    const [bird] = await library.addStatements({ text: 'a bird' });
    await judgeBadly(library, first!, bird!, 'degraded');
    const statements = [...library.statements, bird!];
    const next = await library.scan({ statements });
    // A joint pack has yet to be asked about the bird on the other two.
    expect(next.photos).toMatchObject(kind === 'joint' ? { judged: 2, cached: 2 } : { judged: 0, cached: 4 });
    const before = library.inferred();
    expect(before).toBe(kind === 'joint' ? 8 : 3);
    const again = await library.scan({ statements, recheck: { kind: 'degraded' } });
    expect(again.photos).toMatchObject({ judged: 1, cached: 3 });
    expect(library.inferred()).toBe(before + 1);
    const photo = (await library.store.photos.idAt(first!))!;
    const { items } = await library.store.verdicts.list({ photo, statement: 'a bird' }, { limit: 9 });
    expect(items).toMatchObject([{ degraded: false, reason: { code: 'model_score' } }]);
    expect(items[0]!.p).not.toBeNull();
    expect((await library.scan({ statements, recheck: { kind: 'degraded' } })).photos).toMatchObject({ judged: 0 });
  });
});

describe.each(kinds)('a photo that was not judged in time, with a %s pack', (kind) => {
  it('is judged by the next scan, on what evidence there is', async () => {
    const library = await openLibrary(usual, kind);
    const [first] = await writePhotos(library.photos, 2);
    await library.scan();
    const [bird] = await library.addStatements({ text: 'a bird' });
    await judgeBadly(library, first!, bird!, 'timed_out');
    await library.scan({ statements: [...library.statements, bird!] });
    const { items } = await library.store.verdicts.list({ statement: 'a bird' }, { limit: 9 });
    expect(items.map(({ reason }) => reason.code)).toEqual(['model_score', 'model_score']);
    expect(library.inferred()).toBe(runsOf(kind, 2, 3));
  });
});

describe.each(kinds)('files that come, go and cannot be read, with a %s pack', (kind) => {
  it('knows a copy, a move and new bytes at an old place', async () => {
    const library = await openLibrary(usual, kind);
    const [a, b] = (await writePhotos(library.photos, 2)) as [string, string];
    await library.scan();
    const id = await library.store.photos.idAt(a);
    mkdirSync(join(library.photos, 'moved'));
    renameSync(a, join(library.photos, 'moved', 'a.jpg'));
    copyFileSync(b, join(library.photos, 'b-again.jpg'));
    expect((await library.scan()).photos).toMatchObject({ found: 3, judged: 0, cached: 3 });
    expect(library.inferred()).toBe(runsOf(kind, 2));
    expect(await library.store.photos.idAt(join(library.photos, 'moved', 'a.jpg'))).toBe(id);
    expect(await library.store.photos.idAt(a)).toBeNull();
    await writeFlat(b, 40);
    expect((await library.scan()).photos).toMatchObject({ found: 3, judged: 1, cached: 2 });
    expect(await library.store.photos.idAt(b)).not.toBe(
      await library.store.photos.idAt(join(library.photos, 'b-again.jpg')),
    );
    expect(await library.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  });

  it('hides a photo whose file is gone, and shows it again with its verdicts when it is back', async () => {
    const library = await openLibrary(usual, kind);
    const [a] = (await writePhotos(library.photos, 2)) as [string, string];
    await library.scan();
    const away = join(library.photos, '..', 'away.jpg');
    renameSync(a, away);
    expect((await library.scan()).photos).toMatchObject({ found: 1, cached: 1 });
    expect(await counts(library)).toBe(2);
    renameSync(away, a);
    expect((await library.scan()).photos).toMatchObject({ found: 2, judged: 0, cached: 2 });
    expect(await counts(library)).toBe(4);
    expect(library.inferred()).toBe(runsOf(kind, 2));
  });

  it('takes a folder that cannot be reached for offline, not for emptied', async () => {
    const library = await openLibrary(usual, kind);
    await writePhotos(library.photos, 2);
    await library.scan();
    renameSync(library.photos, `${library.photos}-unplugged`);
    expect((await library.scan()).photos).toMatchObject({ found: 0 });
    expect(await counts(library)).toBe(4);
    renameSync(`${library.photos}-unplugged`, library.photos);
    expect((await library.scan()).photos).toMatchObject({ found: 2, cached: 2 });
  });

  it('puts what cannot be judged in quarantine, and tries it again when it changes or when asked to', async () => {
    const library = await openLibrary(usual, kind);
    const [good] = await writePhotos(library.photos, 1);
    const broken = join(library.photos, 'broken.jpg');
    const empty = join(library.photos, 'empty.jpg');
    writeFileSync(broken, 'no image at all');
    writeFileSync(empty, '');
    const first = await library.scan();
    expect(first.photos).toMatchObject({ found: 3, judged: 1, quarantined: 2 });
    expect(first.quarantined.map(({ path, reason }) => [path, reason.code]).toSorted()).toEqual([
      [broken, 'not_an_image'],
      [empty, 'empty_file'],
    ]);
    const attempts = async () => (await library.store.quarantine.list(null)).map((item) => item.attempts);
    expect((await library.scan()).photos).toMatchObject({ cached: 1, quarantined: 2 });
    expect(await attempts()).toEqual([1, 1]);
    await library.scan({ retryQuarantined: true });
    expect(await attempts()).toEqual([2, 2]);
    copyFileSync(good!, broken);
    truncateSync(empty, 10);
    expect((await library.scan()).photos).toMatchObject({ cached: 2, quarantined: 1 });
    rmSync(empty);
    await library.scan();
    expect(await library.store.quarantine.list(null)).toEqual([]);
  });
});

describe('a joint pack', () => {
  it('is asked one pair a photo for a statement that joins a set of a hundred', async () => {
    const library = await openLibrary(
      Array.from({ length: 100 }, (_, i) => ({ text: `a dog beside house number ${i + 2}` })),
      'joint',
      { batch: { mode: 'fixed', size: 16 } },
    );
    await writePhotos(library.photos, 2);
    await library.scan();
    expect(library.inferred()).toBe(200);
    const bird = await library.addStatements({ text: 'a bird' });
    const next = await library.scan({ statements: [...library.statements, ...bird] });
    expect(next.photos).toMatchObject({ judged: 2, quarantined: 0 });
    expect(library.inferred()).toBe(202);
    expect(await counts(library)).toBe(202);
  });

  it('judges each part of a statement, and what is written over it', async () => {
    const library = await openLibrary([{ text: 'a dog' }, { text: 'a cat; a bird' }], 'joint');
    await writePhotos(library.photos, 3);
    expect((await library.scan()).photos).toMatchObject({ judged: 3, quarantined: 0 });
    expect(library.inferred()).toBe(9);
    expect(await counts(library)).toBe(6);
  });
});

import { describe, expect, it } from 'vitest';
import { dogs, identityOf, info, judged, judging, markCounts, open, statOf, verdict, want } from './open.ts';

const at = (folder: string, name: string) => `/photos/${folder}/${name}`;

describe('a scan', () => {
  it('finds a photo judged once and judges nothing again', async () => {
    const store = await open();
    const [dog, cat] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes'), verdict(cat!, 'no')]);
    expect(await store.photos.lookup([statOf(file)], want([dog!, cat!]))).toEqual([{ state: 'unknown' }]);
    await store.photos.recordJudged(judging(), [file]);
    const [state] = await store.photos.lookup([statOf(file)], want([dog!, cat!]));
    expect(state).toMatchObject({ state: 'known', evidence: true, missing: [] });
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 1, maybe: 0 });
    expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
  });

  it('tells what a change of size, time or inode leaves unknown', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    await store.photos.recordJudged(judging(), [file]);
    const stat = statOf(file);
    const changed = [
      { ...stat, bytes: 9 },
      { ...stat, mtimeMs: 1 },
      { ...stat, inode: 'x' },
    ];
    const states = await store.photos.lookup(changed, want([dog!]));
    expect(states.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('asks again for verdicts of another adapter, hypothesis or pack, and for new statements', async () => {
    const store = await open();
    const [dog, cat] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    await store.photos.recordJudged(judging(), [file]);
    const wanted = want([dog!, cat!]);
    const missing = async (changes: object) => {
      const [state] = await store.photos.lookup([statOf(file)], {
        ...wanted,
        verdicts: { ...wanted.verdicts, ...changes },
      });
      return state?.state === 'known' ? state.missing : undefined;
    };
    expect(await missing({})).toEqual([cat!.key]);
    expect(await missing({ adapterVersion: '2' })).toEqual([dog!.key, cat!.key]);
    expect(await missing({ packSha256: 'ab'.repeat(32) })).toEqual([dog!.key, cat!.key]);
    expect(await missing({ statements: [{ statement: dog!.key, hypothesisHash: 'other' }] })).toEqual([dog!.key]);
  });

  it('rechecks what it is asked to', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const real = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    const weak = judged(at('a', '2.jpg'), 'two', [verdict(dog!, 'yes')]);
    await store.photos.recordJudged(judging(), [real]);
    await store.photos.recordJudged(judging({ degraded: true, precision: 'int8' }), [weak]);
    const missing = async (recheck: Parameters<typeof want>[1]) =>
      (await store.photos.lookup([statOf(real), statOf(weak)], want([dog!], recheck))).map((state) =>
        state.state === 'known' ? [state.missing.length, state.evidence] : state,
      );
    expect(await missing({ recheck: { kind: 'none' } })).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(await missing({ recheck: { kind: 'degraded' } })).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(await missing({ recheck: { kind: 'all' } })).toEqual([
      [1, false],
      [1, false],
    ]);
    expect(await missing({ recheck: { kind: 'precision', precision: 'fp32' } })).toEqual([
      [0, true],
      [1, false],
    ]);
  });

  it('never lets a degraded, timed-out or flat verdict replace a real one', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    const nothing = verdict(dog!, 'maybe', {
      p: null,
      lean: null,
      confidence: null,
      reason: { code: 'timed_out', params: { limitMs: 5 } },
    });
    await store.photos.recordJudged(judging(), [judged(at('a', '2.jpg'), 'two', [nothing])]);
    await store.photos.recordJudged(judging(), [file]);
    await store.photos.recordJudged(judging({ degraded: true }), [{ ...file, verdicts: [verdict(dog!, 'no')] }]);
    await store.photos.recordJudged(judging(), [{ ...file, verdicts: [nothing] }]);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 1 });
    await store.photos.recordJudged(judging(), [{ ...file, verdicts: [verdict(dog!, 'no')] }]);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 1, maybe: 1 });
    expect(await store.upkeep.figures()).toMatchObject({ verdicts: 5, pairs: 2, photos: 2 });
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('is told of quarantined files until they change, are cleared or get judged', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    const entry = { ...statOf(file), fileHash: null, reason: { code: 'empty_file', params: {} } as const, at: 5 };
    await store.quarantine.record([entry]);
    await store.quarantine.record([{ ...entry, at: 6 }]);
    const wanted = want([dog!]);
    expect(await store.photos.lookup([statOf(file)], wanted)).toEqual([
      { state: 'quarantined', reason: entry.reason, attempts: 2 },
    ]);
    expect(await store.photos.lookup([{ ...statOf(file), bytes: 7 }], wanted)).toEqual([{ state: 'unknown' }]);
    expect(await store.quarantine.list('/photos/a')).toEqual([{ ...entry, at: 6, firstAt: 5, attempts: 2 }]);
    expect(await store.quarantine.list('/photos/b')).toEqual([]);
    await store.photos.recordJudged(judging(), [file]);
    expect(await store.quarantine.list(null)).toEqual([]);
    await store.quarantine.record([entry]);
    expect(await store.quarantine.clear(null)).toBe(1);
  });

  it('hides a photo whose file became something else', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const file = judged(at('a', '1.jpg'), 'one', [verdict(dog!, 'yes')]);
    await store.photos.recordJudged(judging(), [file]);
    await store.quarantine.record([
      { ...statOf(file), bytes: 0, fileHash: null, reason: { code: 'empty_file', params: {} }, at: 5 },
    ]);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: 0 });
    expect((await store.upkeep.check()).problems).toEqual([]);
  });
});

describe('which photo a file is', () => {
  const record = async (path: string, content: string) => {
    const store = await open();
    const [dog] = await dogs(store);
    await store.photos.recordJudged(judging(), [judged(path, content, [verdict(dog!, 'yes')])]);
    const id = await store.photos.idAt(path);
    return { store, id, wanted: want([dog!]), dog: dog! };
  };

  it('keeps a photo whose metadata changes at the same path', async () => {
    const { store, id, wanted } = await record('/p/a.jpg', 'one');
    const [state] = await store.photos.attach([{ path: '/p/a.jpg', identity: identityOf('one', 'rated') }], wanted);
    expect(state).toMatchObject({ state: 'known', missing: [], photo: { id } });
    expect((await store.results.photo(id!))?.photo.fileHash).toBe(identityOf('one', 'rated').fileHash);
  });

  it('makes a new photo of other content at the same path', async () => {
    const { store, id, wanted, dog } = await record('/p/a.jpg', 'one');
    expect(await store.photos.attach([{ path: '/p/a.jpg', identity: identityOf('two') }], wanted)).toEqual([
      { state: 'unknown' },
    ]);
    await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'two', [verdict(dog, 'no')])]);
    expect(await store.photos.idAt('/p/a.jpg')).not.toBe(id);
    expect(await store.photos.pathOf(id!)).toBeNull();
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 1, maybe: 0 });
  });

  it('counts a copy as the same photo at two paths, and one with other metadata as another photo', async () => {
    const { store, id, wanted } = await record('/p/a.jpg', 'one');
    const [copy, edited] = await store.photos.attach(
      [
        { path: '/p/b.jpg', identity: identityOf('one') },
        { path: '/p/c.jpg', identity: identityOf('one', 'rated') },
      ],
      wanted,
    );
    expect(copy).toMatchObject({ state: 'known', photo: { id } });
    expect(edited).toEqual({ state: 'unknown' });
    expect((await store.results.photo(id!))?.photo.paths.map(({ path }) => path)).toEqual(['/p/a.jpg', '/p/b.jpg']);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  });

  it('splits two copies when one of them gets other metadata', async () => {
    const { store, id, wanted, dog } = await record('/p/a.jpg', 'one');
    await store.photos.attach([{ path: '/p/b.jpg', identity: identityOf('one') }], wanted);
    const edited = { path: '/p/b.jpg', identity: identityOf('one', 'rated') };
    expect(await store.photos.attach([edited], wanted)).toEqual([{ state: 'unknown' }]);
    await store.photos.recordJudged(judging(), [{ ...judged('', 'one', [verdict(dog, 'yes')]), ...edited }]);
    expect(await store.photos.idAt('/p/a.jpg')).toBe(id);
    expect(await store.photos.idAt('/p/b.jpg')).not.toBe(id);
    expect((await store.upkeep.check()).problems).toEqual([]);
  });

  it('follows a move, in whichever order it is told of', async () => {
    const { store, id, wanted } = await record('/p/a.jpg', 'one');
    await store.photos.attach([{ path: '/p/new/a.jpg', identity: identityOf('one') }], wanted);
    expect(await store.photos.markGone(['/p/a.jpg'])).toBe(1);
    expect(await store.photos.pathOf(id!)).toBe('/p/new/a.jpg');
    await store.photos.markGone(['/p/new/a.jpg']);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: 0 });
    await store.photos.attach([{ path: '/p/again.jpg', identity: identityOf('one') }], wanted);
    expect(await store.photos.pathOf(id!)).toBe('/p/again.jpg');
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  });

  it('finds a name again in its other Unicode form', async () => {
    const composed = '/p/Cr\u00e9mieux.jpg';
    const { store, wanted } = await record(composed, 'one');
    const { bytes, mtimeMs, inode } = identityOf('one');
    const [state] = await store.photos.lookup([{ path: composed.normalize('NFD'), bytes, mtimeMs, inode }], wanted);
    expect(state?.state).toBe('known');
  });

  it('judges two files of the same bytes in one batch once', async () => {
    const store = await open();
    const [dog] = await dogs(store);
    const files = ['/p/a.jpg', '/p/b.jpg'].map((path) => judged(path, 'one', [verdict(dog!, 'yes')]));
    const [a, b] = await store.photos.recordJudged(judging(), files);
    expect(a).toEqual(b);
    const [state] = await store.photos.lookup([statOf(files[0]!)], want([dog!]));
    expect(state).toMatchObject({ photo: a });
    expect(await store.upkeep.figures()).toMatchObject({ photos: 1, verdicts: 1 });
  });

  it('lists what it believes to exist under a folder, and only there', async () => {
    const { store, wanted } = await record('/p/a.jpg', 'one');
    await store.photos.attach([{ path: '/p2/b.jpg', identity: identityOf('one') }], wanted);
    await store.quarantine.record([
      {
        path: '/p/bad.jpg',
        bytes: 0,
        mtimeMs: 1,
        inode: '1',
        fileHash: null,
        reason: { code: 'empty_file', params: {} },
        at: 1,
      },
    ]);
    expect(await store.photos.listPaths('/p', null, 10)).toEqual(['/p/a.jpg', '/p/bad.jpg']);
    expect(await store.photos.listPaths('/p/', '/p/a.jpg', 10)).toEqual(['/p/bad.jpg']);
    expect(await store.photos.listPaths('/', null, 1)).toEqual(['/p/a.jpg']);
    await store.folders.upsert('/p', { watched: true });
    expect(await store.folders.list()).toMatchObject([{ path: '/p', watched: true, photos: 1, quarantined: 1 }]);
  });

  it('marks a photo that turns out damaged', async () => {
    const { store, id } = await record('/p/a.jpg', 'one');
    await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'one', [], { info: info({ damaged: true }) })]);
    expect((await store.results.photo(id!))?.photo.damaged).toBe(true);
    expect(await markCounts(store)).toMatchObject({ damaged: 1 });
  });
});

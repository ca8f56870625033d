import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { listBackups } from '../../../main/store/backup-files.ts';
import { appliedMigrations, migrate } from '../../../main/store/sql/migrate.ts';
import { migrations } from '../../../main/store/sql/migrations/index.ts';
import { openStoreSession } from '../../../main/store/sql/session.ts';
import type { RequestTiming } from '../../../main/store/types.ts';
import { readPolicy } from '../../../main/verdicts/local-policy.ts';
import { dogs, judged, judging, newHome, open, sha, tryOpen, verdict, want } from './open.ts';

const databaseOf = (home: string) => join(home, 'vouch.db');

/** A home with one judged photo, closed. */
const usedHome = async (): Promise<string> => {
  const home = newHome();
  const store = await open(home);
  const [dog] = await dogs(store);
  await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'one', [verdict(dog!, 'yes')])]);
  await store.close();
  return home;
};

describe('opening a store', () => {
  it('uses a write-ahead log and keeps what was stored', async () => {
    const store = await open(await usedHome());
    expect(await store.upkeep.figures()).toMatchObject({
      journalMode: 'wal',
      photos: 1,
      schema: migrations.at(-1)?.name,
    });
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  });

  it('refuses a second writer, names the first, and lets others read', async () => {
    const home = await usedHome();
    const writer = await open(home);
    expect(await tryOpen(home)).toEqual({
      ok: false,
      error: { code: 'store_locked', params: { home, pid: process.pid }, retryable: true },
    });
    const reader = await open(home, 'read');
    await dogs(writer);
    expect((await reader.statements.list())[0]?.statements).toHaveLength(2);
    await expect(reader.runs.begin('scan', {})).rejects.toMatchObject({ error: { code: 'read_only' } });
    await writer.close();
    expect((await tryOpen(home)).ok).toBe(true);
  });

  it('frees the lock of a killed process', async () => {
    const home = await usedHome();
    const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-lock.ts'), home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await tryOpen(home)).toMatchObject({
      ok: false,
      error: { code: 'store_locked', params: { pid: child.pid } },
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await tryOpen(home)).ok).toBe(true);
  });

  it('says that there is nothing to read yet', async () => {
    expect(await tryOpen(newHome(), 'read')).toMatchObject({ ok: false, error: { code: 'store_missing' } });
  });

  it('says that a home cannot be made', async () => {
    const file = join(newHome(), 'file');
    writeFileSync(file, '');
    expect(await tryOpen(join(file, 'home'))).toMatchObject({ ok: false });
  });

  it('marks runs that a dead process left running', async () => {
    const home = newHome();
    const store = await open(home);
    const run = await store.runs.begin('scan', { roots: ['/p'] });
    await store.close();
    const [found] = await (await open(home)).runs.list(1);
    expect(found).toMatchObject({ id: run.id, state: 'interrupted', params: { roots: ['/p'] } });
  });

  it('tells how long requests took, answers in order, and fails those asked after closing', async () => {
    const timings: RequestTiming[] = [];
    const result = await tryOpen(newHome(), 'write', (timing) => timings.push(timing));
    if (!result.ok) throw new Error(result.error.code);
    const { store } = result;
    const order: string[] = [];
    const asked = [
      store.upkeep.backup().then(() => order.push('backup')),
      store.settings.set('reviewer', 'Ann').then(() => order.push('set')),
      store.settings.get('reviewer').then((value) => order.push(String(value))),
    ];
    await Promise.all(asked);
    expect(order).toEqual(['backup', 'set', 'Ann']);
    expect(timings.map(({ request, ok }) => [request, ok])).toEqual([
      ['upkeep.backup', true],
      ['settings.set', true],
      ['settings.get', true],
    ]);
    expect(timings[2]!.waitedMs).toBeGreaterThanOrEqual(timings[0]!.ranMs);
    await store.close();
    await expect(store.settings.get('reviewer')).rejects.toMatchObject({ error: { code: 'store_closed' } });
  });
});

// field-notes row 30
describe('a bad database', () => {
  const damage = (home: string) => {
    const file = databaseOf(home);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096 * 3, Math.min(bytes.length, 4096 * 12));
    writeFileSync(file, bytes);
    return bytes;
  };

  it('is set aside, never overwritten, and the newest backup is named', async () => {
    const home = await usedHome();
    const store = await open(home);
    const { file } = await store.upkeep.backup();
    await store.close();
    const bytes = damage(home);
    const result = await tryOpen(home);
    if (result.ok) throw new Error('opened a damaged database');
    expect(result.error).toMatchObject({ code: 'store_corrupt', params: { backup: file } });
    const { setAside } = result.error.params;
    expect(readFileSync(String(setAside)).equals(bytes)).toBe(true);
    const fresh = await open(home);
    expect((await fresh.upkeep.figures()).photos).toBe(0);
    await fresh.upkeep.restore(file);
    expect((await fresh.upkeep.figures()).photos).toBe(1);
  });

  it.each([
    ['text', Buffer.from('this is no database, whatever its name says'.repeat(200))],
    ['a cut-off file', null],
  ])('may be %s', async (_, content) => {
    const home = await usedHome();
    const file = databaseOf(home);
    writeFileSync(file, content ?? readFileSync(file).subarray(0, 9000));
    expect(await tryOpen(home)).toMatchObject({
      ok: false,
      error: { code: 'store_corrupt', params: { backup: null } },
    });
    expect(readdirSync(home).some((name) => name.startsWith('vouch.db.damaged-'))).toBe(true);
  });

  it('may be one of another program', async () => {
    const home = newHome();
    const other = new Database(databaseOf(home));
    other.exec('CREATE TABLE songs (title TEXT)');
    other.close();
    expect(await tryOpen(home)).toMatchObject({ ok: false, error: { code: 'store_corrupt' } });
  });
});

// field-notes row 32
describe('migrations', () => {
  const next = { name: '9999-songs', sql: 'CREATE TABLE songs (title TEXT) STRICT;' };

  it('back up an older database first, and lose nothing', async () => {
    const home = await usedHome();
    const session = await openStoreSession(home, 'write', [...migrations, next]);
    const [backup] = listBackups(home);
    expect(backup?.file).toContain('before-9999-songs');
    expect(session.operations().upkeep.figures()).toMatchObject({ photos: 1, schema: '9999-songs' });
    session.close();
    const copy = new Database(backup!.file, { readonly: true });
    expect(appliedMigrations(copy)).toEqual(migrations.map(({ name }) => name));
    expect(copy.prepare('SELECT count(*) AS n FROM verdicts').get()).toEqual({ n: 1 });
    copy.close();
  });

  it('leave the database as it was when they fail, and can be tried again', async () => {
    const home = await usedHome();
    const broken = { name: next.name, sql: `${next.sql} CREATE TABLE photos (x);` };
    await expect(openStoreSession(home, 'write', [...migrations, broken])).rejects.toThrow();
    const session = await openStoreSession(home, 'write', [...migrations, next]);
    expect(session.operations().upkeep.figures().photos).toBe(1);
    session.close();
  });

  it('keep under which policy a verdict was decided, as two numbers', async () => {
    const home = newHome();
    const before = migrations.filter(({ name }) => name < '0006');
    const db = new Database(databaseOf(home));
    await migrate(db, before, async () => undefined);
    db.exec(`
      INSERT INTO models VALUES (1, 'a model');
      INSERT INTO packs VALUES (1, 1, '1.0.0', zeroblob(32), '1');
      INSERT INTO statement_sets VALUES (1, 'pets', 1);
      INSERT INTO statements VALUES (1, zeroblob(16), 1, 'a dog', NULL, NULL, NULL, NULL, NULL, 0, 0, NULL);`);
    const add = db.prepare(
      `INSERT INTO judgings (id, seed, statement_id, pack_id, precision, device, degraded, policy_version, hypothesis_hash, at)
       VALUES (?, ?, 1, 1, 'fp32', 'cpu', 0, ?, '', 0)`,
    );
    for (const [i, stamp] of [1, 1001, 12_001].entries()) add.run(i + 1, Buffer.alloc(12, i), stamp);
    const policy = { riskControl: { yes: 0.6, no: 0.7 }, calibrations: null, plan: null };
    const set = db.prepare('INSERT INTO settings VALUES (?, ?)');
    set.run(`policy ${sha('pack')}`, JSON.stringify({ ...policy, revision: 3, applied: true }));
    set.run(`policy ${sha('other')}`, JSON.stringify({ ...policy, revision: 2, applied: false }));
    set.run('reviewer', '"policy"');
    db.close();

    const store = await open(home);
    expect(await readPolicy(store, sha('pack'))).toEqual({
      ...{ ...policy, revision: 3 },
      appliedStamp: { version: 1, revision: 3 },
    });
    expect(await readPolicy(store, sha('other'))).toEqual({ ...policy, revision: 2, appliedStamp: null });
    expect(await store.settings.get('reviewer')).toBe('policy');
    await store.close();
    const after = new Database(databaseOf(home), { readonly: true });
    expect(after.prepare('SELECT policy_version, policy_revision FROM judgings ORDER BY id').raw().all()).toEqual([
      [1, 0],
      [1, 1],
      [1, 12],
    ]);
    after.close();
  });

  it('of a later version are refused, in the database and in a backup', async () => {
    const home = await usedHome();
    const session = await openStoreSession(home, 'write', [...migrations, next]);
    const { file } = await session.operations().upkeep.backup();
    session.close();
    expect(await tryOpen(home)).toMatchObject({
      ok: false,
      error: { code: 'store_newer', params: { schema: '9999-songs' } },
    });
    const other = await open(await usedHome());
    await expect(other.upkeep.restore(file)).rejects.toMatchObject({ error: { code: 'store_newer' } });
    expect((await other.upkeep.figures()).photos).toBe(1);
  });
});

describe('backup and restore', () => {
  it('bring back what was there, and set the current database aside', async () => {
    const home = await usedHome();
    const store = await open(home);
    const backup = await store.upkeep.backup(join(newHome(), 'deep', 'mine.db'));
    expect(backup.bytes).toBe(statSync(backup.file).size);
    const [dog] = await dogs(store);
    await store.photos.recordJudged(judging(), [judged('/p/b.jpg', 'two', [verdict(dog!, 'no')])]);
    const restored = await store.upkeep.restore(backup.file);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
    expect((await store.upkeep.check()).problems).toEqual([]);
    await store.upkeep.restore(restored.setAside);
    expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 1, maybe: 0 });
  });

  it('refuse what is no backup, and change nothing', async () => {
    const home = await usedHome();
    const store = await open(home);
    const folder = newHome();
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database'.repeat(1000));
    const other = join(folder, 'other.db');
    const db = new Database(other);
    db.exec('CREATE TABLE songs (title TEXT)');
    db.close();
    const cut = join(folder, 'cut.db');
    writeFileSync(cut, readFileSync((await store.upkeep.backup()).file).subarray(0, 20_000));
    for (const file of [text, other, cut]) {
      await expect(store.upkeep.restore(file)).rejects.toMatchObject({ error: { code: 'not_a_backup' } });
    }
    await expect(store.upkeep.restore(join(folder, 'none.db'))).rejects.toMatchObject({ error: { code: 'not_found' } });
    expect((await store.upkeep.figures()).photos).toBe(1);
    expect(existsSync(`${databaseOf(home)}.incoming`)).toBe(false);
  });

  it('survive a kill between taking the old database away and putting the new one there', async () => {
    const home = await usedHome();
    const store = await open(home);
    const { file } = await store.upkeep.backup();
    await store.close();
    const halfway = newHome();
    mkdirSync(halfway, { recursive: true });
    copyFileSync(file, `${databaseOf(halfway)}.incoming`);
    expect((await (await open(halfway)).upkeep.figures()).photos).toBe(1);
  });

  it('keep the newest backups only', async () => {
    const home = newHome();
    const store = await open(home);
    for (let i = 0; i < 4; i++) await store.upkeep.backup();
    const newest = listBackups(home).slice(0, 3);
    expect(await store.upkeep.pruneBackups(3)).toBe(1);
    expect(listBackups(home)).toEqual(newest);
  });
});

// field-notes row 31
it('leaves the event loop of its client alone while it stores much', async () => {
  const store = await open();
  const [dog] = await dogs(store);
  const files = Array.from({ length: 200 }, (_, i) => judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, 'yes')]));
  await store.photos.recordJudged(judging(), files.slice(0, 1));
  const stored = store.photos.recordJudged(judging(), files);
  const looked = store.photos.lookup([], want([dog!]));
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await Promise.all([stored, looked]);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(0);
});

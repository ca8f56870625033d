import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { networkTypeOf, parseLinuxMounts } from '../../../main/store/sql/network-path.ts';
import { errorText } from '../../../main/words/english.ts';
import { dogs, judged, judging, newHome, open, tryOpen, verdict } from '../store/open.ts';

const used = async () => {
  const home = newHome();
  const store = await open(home);
  const [dog] = await dogs(store);
  await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'one', [verdict(dog!, 'yes')])]);
  const { file } = await store.upkeep.backup();
  await store.close();
  return { home, backup: file };
};

it('row 30: a corrupt database is set aside byte for byte, the backup named in words, and put back on demand', async () => {
  const { home, backup } = await used();
  const database = join(home, 'vouch.db');
  const bytes = readFileSync(database);
  bytes.fill(0xa5, 4096 * 2, 4096 * 12);
  writeFileSync(database, bytes);

  const refused = await tryOpen(home);
  if (refused.ok) throw new Error('opened');
  if (refused.error.code !== 'store_corrupt') throw new Error(refused.error.code);
  expect(refused.error.params.backup).toBe(backup);
  const aside = String(refused.error.params.setAside);
  expect(readFileSync(aside).equals(bytes)).toBe(true);
  expect(existsSync(database)).toBe(false);
  expect(errorText(refused.error)).toContain(backup);

  const store = await open(home);
  await store.upkeep.restore(backup);
  expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  expect(await store.upkeep.figures()).toMatchObject({ journalMode: 'wal' });
  expect((await store.upkeep.check()).ok).toBe(true);
});

it('row 30: a database that another process writes is left alone, and who holds it is said', async () => {
  const { home } = await used();
  const writer = await open(home);
  const refused = await tryOpen(home);
  if (refused.ok) throw new Error('opened');
  expect(refused.error).toMatchObject({ code: 'store_locked', params: { pid: process.pid } });
  expect(errorText(refused.error)).toContain(String(process.pid));
  const reader = await open(home, 'read');
  expect((await reader.verdicts.countByLabel()).yes).toBe(1);
  await writer.close();
});

it('row 30: a home on a network share is told from a local one, and refused in words', () => {
  const mounts = parseLinuxMounts(
    '/dev/sda1 / ext4 rw 0 0\n//nas/home /home/ann/share cifs rw 0 0\nnas:/v /mnt/v nfs4 rw 0 0\n',
  );
  expect(networkTypeOf('/home/ann/share/vouch', mounts)).toBe('cifs');
  expect(networkTypeOf('/mnt/v', mounts)).toBe('nfs4');
  expect(networkTypeOf('/home/ann/vouch', mounts)).toBeNull();
  const error = { code: 'network_path', params: { path: '/mnt/v', type: 'nfs4' }, retryable: false } as const;
  expect(errorText(error)).toMatch(/\/mnt\/v.*network.*--home/);
});

it('row 30: SQLite is past the releases that could corrupt a log which was started anew', () => {
  const version = new Database(':memory:').prepare<[], string>('SELECT sqlite_version()').pluck().get()!;
  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
});

it('row 30: a file that is no database of Vouch is not taken for one', async () => {
  const home = newHome();
  const foreign = join(home, 'vouch.db');
  copyFileSync(join(import.meta.dirname, 'row-30-database.test.ts'), foreign);
  const before = readFileSync(foreign);
  const refused = await tryOpen(home);
  if (refused.ok) throw new Error('opened');
  if (refused.error.code !== 'store_corrupt') throw new Error(refused.error.code);
  expect(readFileSync(String(refused.error.params.setAside)).equals(before)).toBe(true);
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrations } from '../../../main/store/sql/migrations/index.ts';
import { openStoreSession } from '../../../main/store/sql/session.ts';
import { dogs, judged, judging, newHome, open, tryOpen, verdict } from '../store/open.ts';

const next = { name: '9999-next', sql: 'ALTER TABLE photos ADD COLUMN mood TEXT' };
const failing = { name: '9999-next', sql: 'CREATE TABLE half (id); SELECT * FROM nowhere' };

const used = async () => {
  const home = newHome();
  const store = await open(home);
  const [dog] = await dogs(store);
  await store.photos.recordJudged(judging(), [judged('/p/a.jpg', 'one', [verdict(dog!, 'yes')])]);
  await store.close();
  return home;
};
const backups = (home: string) => readdirSync(join(home, 'backups')).filter((name) => name.includes('before-9999'));

it('row 32: a migration makes a backup first, and that backup brings everything back', async () => {
  const home = await used();
  (await openStoreSession(home, 'write', [...migrations, next])).close();
  expect(backups(home)).toHaveLength(1);
  // What a newer version has written, this one does not touch.
  expect(await tryOpen(home)).toMatchObject({ ok: false, error: { code: 'store_newer' } });

  const session = await openStoreSession(home, 'write', [...migrations, next]);
  await session.operations().upkeep.restore(join(home, 'backups', backups(home)[0]!));
  expect(session.operations().verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  session.close();
});

it('row 32: a migration that fails leaves the database as it was, with the backup beside it', async () => {
  const home = await used();
  await expect(openStoreSession(home, 'write', [...migrations, failing])).rejects.toThrow('nowhere');
  expect(backups(home)).toHaveLength(1);
  const store = await open(home);
  expect(await store.verdicts.countByLabel()).toEqual({ yes: 1, no: 0, maybe: 0 });
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
});

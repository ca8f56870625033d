/** Watched folders in the whole app: photos that arrive, a closed window, and a database that cannot be opened. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import type { FolderView } from '../../main/contract/views.ts';
import { setUpDesk } from './harness.ts';

const desk = setUpDesk();
const sample = (name: string) => resolve(import.meta.dirname, '..', '..', 'resources', 'samples', name);

/** Asks until the answer fits; the limit only bounds a test that is going to fail. */
const until = async <T>(ask: () => Promise<T>, fits: (value: T) => boolean, limitMs = 60_000): Promise<T> => {
  const limit = performance.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    if (performance.now() > limit) throw new Error(`still ${JSON.stringify(value)?.slice(0, 2000)}`);
    await new Promise((done) => setTimeout(done, 100));
  }
};
const foldersOf = (page: Launched['page']): Promise<readonly FolderView[]> =>
  page.evaluate(async () => {
    const folders = await window.vouch.library.folders();
    if (!folders.ok) throw new Error(JSON.stringify(folders.error));
    return folders.value;
  });
const photosIn = async (page: Launched['page'], folder: string) =>
  (await foldersOf(page)).find(({ id }) => id === folder)?.photos;

describe('a watched folder', () => {
  it('is switched on in its row, and judged on while the window is closed', async () => {
    const { app, page, quit, stderr, home } = await desk.open();
    await app.evaluate(({ Notification }) => {
      const told: string[] = [];
      Object.assign(globalThis, { told });
      Notification.isSupported = () => true;
      Notification.prototype.show = function show(this: { body: string }) {
        told.push(this.body);
      };
    });
    const folder = desk.folder();
    copyFileSync(sample('cat.jpg'), join(folder, 'cat.jpg'));
    await page.evaluate(async (path) => {
      await window.vouch.library.add({ paths: [path] });
    }, folder);
    await page.getByRole('button', { name: /^Library/ }).click();
    const row = page.getByRole('row').filter({ hasText: folder.split('/').at(-1)! });
    await row.getByRole('switch').press('Space');
    await until(
      () => foldersOf(page),
      (folders) => folders.some(({ id, watch }) => id === folder && watch?.mode === 'watching'),
    );
    await row.getByText('On', { exact: true }).waitFor();
    await until(
      () => photosIn(page, folder),
      (photos) => photos === 1,
    );
    copyFileSync(sample('grass.jpg'), join(folder, 'grass.jpg'));
    await until(
      () => photosIn(page, folder),
      (photos) => photos === 2,
    );

    await app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.close();
    });
    await until(
      () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
      (windows) => windows === 0,
    );
    copyFileSync(sample('coffee-cup.jpg'), join(folder, 'coffee-cup.jpg'));
    await new Promise((r) => setTimeout(r, 12000));
    console.log(
      await app.evaluate(() => [...(globalThis as unknown as { told: string[] }).told]),
      stderr(),
      (await import('node:fs'))
        .readdirSync(join(home, 'logs'))
        .map((f: string) => readFileSync(join(home, 'logs', f), 'utf8').slice(-4000))
        .join(''),
    );
    const told = await until(
      () => app.evaluate(() => [...(globalThis as unknown as { told: string[] }).told]),
      (bodies) => bodies.some((body) => body.startsWith('1 photo: ')),
    );
    expect(told.at(-1)).toMatch(/^1 photo: (none|1) wants review$/);

    const reopened = app.waitForEvent('window');
    await app.evaluate(({ app: electron }) => electron.emit('activate'));
    const again = await reopened;
    await again.waitForLoadState('load');
    expect(await photosIn(again, folder)).toBe(3);
    await quit();
  });

  it('is judged on its own set, and takes only what its patterns say', async () => {
    const { page, quit } = await desk.open();
    const folder = desk.folder();
    for (const name of ['cat.jpg', 'grass.jpg']) copyFileSync(sample(name), join(folder, name));
    await page.evaluate(async (path) => {
      await window.vouch.statements.save({ id: null, name: 'Cats only', statements: [{ text: 'a cat' }] });
      await window.vouch.library.add({ paths: [path] });
    }, folder);
    await page.getByRole('button', { name: /^Library/ }).click();
    const row = page.getByRole('row').filter({ hasText: folder.split('/').at(-1)! });
    await row.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: 'Folder settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Judge on/ }).click();
    await page.getByRole('option', { name: 'Cats only' }).click();
    await dialog.getByLabel('Leave out').fill('grass.*');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(
      () => photosIn(page, folder),
      (photos) => photos === 1,
    );
    const chips = await page.evaluate(async (folderId) => {
      const found = await window.vouch.results.page({ filter: { folderId } });
      return found.ok ? found.value.items.flatMap((item) => item.chips) : [];
    }, folder);
    expect(chips).toHaveLength(1);
    await quit();
  });
});

// field-notes row 30
describe('a damaged database', () => {
  it('is set aside at the start, and the last backup opened from the window', async () => {
    const first = await desk.open();
    await until(
      () => first.page.evaluate(() => window.vouch.results.page({ limit: 1 })),
      (page) => page.ok && page.value.total === 12,
    );
    await first.quit();
    const database = join(first.home, 'vouch.db');
    copyFileSync(database, join(first.home, 'backups', 'vouch-2026-01-01T00-00-00-000Z.db'));
    const bytes = readFileSync(database);
    bytes.fill(0xa5, 4096 * 2, 4096 * 40);
    writeFileSync(database, bytes);

    const stopped = await desk.open({ home: first.home });
    await stopped.page.getByRole('heading', { name: 'The library cannot be opened' }).waitFor();
    await stopped.quit();
    expect(readdirSync(first.home).some((name) => name.startsWith('vouch.db.damaged-'))).toBe(true);

    // Closing it loses nothing: the next start offers the same.
    const second = await desk.open({ home: first.home });
    await second.page.getByRole('button', { name: 'Open the backup' }).press('Enter');
    await second.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    const page = await second.page.evaluate(() => window.vouch.results.page({ limit: 1 }));
    expect(page).toMatchObject({ ok: true, value: { total: 12 } });
    await second.quit();
  });
});

/** A watched folder in the whole app: photos that arrive, with its window open and with it closed. */
import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import type { FolderView } from '../../main/contract/views.ts';
import { setUpApps, until, untilIs } from './harness.ts';
import { writePhotos } from './photos.ts';

const apps = setUpApps();

const folderOf = (page: Launched['page'], folder: string): Promise<FolderView | undefined> =>
  page.evaluate(async (id) => {
    const folders = await window.vouch.library.folders();
    if (!folders.ok) throw new Error(JSON.stringify(folders.error));
    return folders.value.find((view) => view.id === id);
  }, folder);

/** Shows none on the screen: keeps what notifications say in the main process. */
const keepNotifications = ({ app }: Launched) =>
  app.evaluate(({ Notification }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show(this: { body: string }) {
      told.push(this.body);
    };
  });
const toldBy = ({ app }: Launched): Promise<readonly string[]> =>
  app.evaluate(() => (globalThis as unknown as { told: readonly string[] }).told);

describe('a watched folder', () => {
  it('is switched on in its row, and judged on while the window is closed', async () => {
    const launched = await apps.open();
    const { app, page, quit } = launched;
    await keepNotifications(launched);
    const source = apps.folder();
    await writePhotos(source, 3);
    const [one, two, three] = readdirSync(source).sort();
    const folder = apps.folder();
    const arrives = (name: string) => copyFileSync(join(source, name), join(folder, name));

    arrives(one!);
    await page.evaluate((path) => window.vouch.library.add({ paths: [path] }), folder);
    await page.getByRole('button', { name: /^Library/ }).click();
    const row = page.getByRole('row').filter({ hasText: basename(folder) });
    await row.getByRole('switch').press('Space');
    await until(
      () => folderOf(page, folder),
      (view) => view?.watch?.mode === 'watching' && view.photos === 1,
    );
    await row.getByText('On', { exact: true }).waitFor();

    arrives(two!);
    await until(
      () => folderOf(page, folder),
      (view) => view?.photos === 2,
    );

    await app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.close();
    });
    await untilIs(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 0);
    const before = (await toldBy(launched)).length;
    arrives(three!);
    const told = await until(
      () => toldBy(launched),
      (bodies) => bodies.length > before,
    );
    expect(told.at(-1)).toMatch(/^(1 photo|\d+ photos): (none|\d+) wants? review$/);

    const reopened = app.waitForEvent('window');
    await app.evaluate(({ app: electron }) => electron.emit('activate'));
    const again = await reopened;
    await again.waitForLoadState('load');
    await untilIs(async () => (await folderOf(again, folder))?.photos, 3);
    await quit();
  });
});

/** What a person decides for one folder, in the whole app. */
import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import type { FolderView } from '../../main/contract/views.ts';
import { setUpDesk, until } from './harness.ts';
import { writePhotos } from './photos.ts';

const desk = setUpDesk();
/** Photos of their own, none of them a sample. */
const somePhotos = async (count: number): Promise<readonly string[]> => {
  const folder = desk.folder();
  await writePhotos(folder, count);
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
};

const foldersOf = (page: Launched['page']): Promise<readonly FolderView[]> =>
  page.evaluate(async () => {
    const folders = await window.vouch.library.folders();
    if (!folders.ok) throw new Error(JSON.stringify(folders.error));
    return folders.value;
  });
const photosIn = async (page: Launched['page'], folder: string) =>
  (await foldersOf(page)).find(({ id }) => id === folder)?.photos;

describe('a folder', () => {
  it('is judged on its own set, and takes only what its patterns say', async () => {
    const { page, quit } = await desk.open();
    const folder = desk.folder();
    const [kept, out] = await somePhotos(2);
    for (const path of [kept!, out!]) copyFileSync(path, join(folder, basename(path)));
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
    await dialog.getByLabel('Leave out').fill(basename(out!));
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

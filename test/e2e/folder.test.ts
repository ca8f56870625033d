/** What a person decides for one folder, in the whole app. */
import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { ended, setUpApps, until } from './harness.ts';
import { writePhotos } from './photos.ts';

const apps = setUpApps();
/** Photos of their own, none of them a sample. */
const somePhotos = async (count: number): Promise<readonly string[]> => {
  const folder = apps.folder();
  await writePhotos(folder, count);
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
};

const chipsIn = (page: Page, folder: string): Promise<readonly number[]> =>
  page.evaluate(async (folderId) => {
    const found = await window.vouch.results.page({ filter: { folderId } });
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    return found.value.items.map(({ chips }) => chips.length);
  }, folder);

describe('a folder', () => {
  it('is judged on its own set, and takes only what its patterns say', async () => {
    const { page, quit } = await apps.open();
    const folder = apps.folder();
    const [kept, out] = await somePhotos(2);
    for (const path of [kept!, out!]) copyFileSync(path, join(folder, basename(path)));
    await ended(page);
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
    const choice = page.getByRole('option', { name: 'Cats only' });
    await choice.click();
    await choice.waitFor({ state: 'detached' });
    await dialog.getByLabel('Leave out').fill(basename(out!));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    // One photo, on one statement; and so it stays once all that was asked for has been done.
    await until(
      () => chipsIn(page, folder),
      (chips) => chips.length > 0,
    );
    await ended(page);
    expect(await chipsIn(page, folder)).toEqual([1]);
    await quit();
  });
});

/** What a person does with a folder of their own in Results: group, filter, look closely, and list what failed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import { ended, scanFolder, setUpApps, until, untilIs } from './harness.ts';
import { writeBroken } from './photos.ts';

const apps = setUpApps();
const sample = (name: string) => resolve(import.meta.dirname, '../../resources/samples', name);

/** The samples, and two of the folder's three: the third is one of the samples. */
const all = 14;

/** Two sizes of one photo, the larger with camera and place; another photo; two files that are no photos. */
const writeFolder = async (folder: string): Promise<void> => {
  const cat = sharp(sample('cat.jpg')).resize(4000, 2660, { fit: 'fill' });
  const exif = {
    IFD0: { Make: 'Acme', Model: 'Acme One' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' },
  };
  writeFileSync(join(folder, 'cat-large.jpg'), await cat.clone().withExif(exif).jpeg().toBuffer());
  writeFileSync(join(folder, 'cat-small.jpg'), await cat.clone().resize(800, 532).jpeg({ quality: 60 }).toBuffer());
  writeFileSync(join(folder, 'stairs.jpg'), readFileSync(sample('stairs.jpg')));
  writeBroken(folder);
};

describe('a folder that a person adds', () => {
  let app: Launched;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    app = await apps.open();
    ({ page } = app);
    folder = apps.folder();
    await writeFolder(folder);
    await ended(page);
    await scanFolder(page, folder);
    expect(await ended(page)).toMatchObject({ status: 'done', photos: { done: 5, quarantined: 2 } });
  });

  const grid = () => page.locator('[data-grid]');
  const cells = () => grid().getByRole('option');
  const inspector = () => page.getByRole('complementary');
  const filters = () => page.getByRole('dialog', { name: 'Photo details' });
  const total = async () => Number(await cells().first().getAttribute('aria-setsize'));
  const names = () =>
    cells()
      .locator('img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('alt')));

  it('shows similar photos as one, and opens them', async () => {
    await untilIs(total, all);
    await grid().press('g');
    await until(total, (count) => count < all);
    const cats = cells().filter({ has: page.locator('img[alt^=cat]') });
    await cats.getByTestId('similar').click();
    await until(names, (shown) => ['cat-large.jpg', 'cat-small.jpg'].every((name) => shown.includes(name)));
    await until(names, (shown) => !shown.includes('stairs.jpg'));
    await grid().press('s');
    await until(names, (shown) => shown.includes('stairs.jpg'));
    await until(total, (count) => count < all);
    await grid().press('g');
    await untilIs(total, all);
  });

  it('filters by camera, and cuts tiles at 100 %', async () => {
    await page.getByRole('button', { name: 'Photo details' }).click();
    await filters().getByRole('button', { name: 'Any camera' }).click();
    const camera = page.getByRole('option', { name: 'Acme One' });
    await camera.click();
    await camera.waitFor({ state: 'detached' });
    await filters().press('Escape');
    await filters().waitFor({ state: 'detached' });
    await until(names, (shown) => shown.join() === 'cat-large.jpg');
    await inspector().getByText('recorded in the file, not shown').waitFor();

    await grid().press('Enter');
    await page.getByTestId('picture').waitFor();
    expect(await page.getByTestId('tile').count()).toBe(0);
    await page.keyboard.press('z');
    await page.waitForFunction(() => {
      const tiles = [...document.querySelectorAll<HTMLImageElement>('[data-testid=tile]')];
      return tiles.length > 0 && tiles.every(({ naturalWidth }) => naturalWidth > 0 && naturalWidth <= 512);
    });
    await page.keyboard.press('Escape');
    await grid().waitFor();
  });

  it('shows the tags of a photo once its folder is tagged', async () => {
    await page.evaluate(async (folderId) => {
      const settings = { include: [], exclude: [], followLinks: false, tagging: 'vouch' as const };
      const done = await window.vouch.library.configure({ folderId, settings });
      if (!done.ok) throw new Error(JSON.stringify(done.error));
    }, folder);
    await inspector().getByTestId('tags').getByText('in Vouch only').waitFor();
    await inspector()
      .getByTestId('tags')
      .filter({ hasText: /^animal, cat/ })
      .waitFor();
  });

  it('previews an export without writing, and leaves the dialog with Escape', async () => {
    await page.keyboard.press('Control+Shift+E');
    const dialog = page.getByRole('dialog', { name: 'Export verdicts' });
    await dialog.getByRole('radio', { name: 'XMP sidecars' }).click();
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText('cat-large.jpg.xmp').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.xmp'))).toEqual([]);
  });

  it('writes the quarantine as a list', async () => {
    const out = join(apps.folder(), 'list.csv');
    await app.app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: path });
    }, out);
    const written = await page.evaluate(() => window.vouch.library.exportQuarantine());
    expect(written).toMatchObject({ ok: true, value: { path: out, rows: 2 } });
    const lines = readFileSync(out, 'utf8').split('\r\n');
    // The last line ends too.
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('\ufeffpath,reason,reasonCode,attempts,bytes,firstTry,lastTry');
    expect(lines.find((line) => line.includes('empty.png'))).toMatch(/The file is empty\.,empty_file,1,0,/);
  });

  it('shows where a quarantined file lies, and tries one and all again', async () => {
    const listed = async () => {
      const list = await page.evaluate(() => window.vouch.library.quarantine({}));
      if (!list.ok) throw new Error(JSON.stringify(list.error));
      return list.value.items.map(({ path }) => path.slice(folder.length + 1));
    };
    const shown = await app.app.evaluateHandle(({ shell }) => {
      const paths: string[] = [];
      shell.showItemInFolder = (path) => void paths.push(path);
      return paths;
    });
    await page.getByRole('button', { name: /^Library/ }).click();
    await page.getByRole('button', { name: 'Show broken.jpg in its folder' }).click();
    await until(
      () => shown.jsonValue(),
      (paths) => paths.includes(join(folder, 'broken.jpg')),
    );
    expect(await listed()).toEqual(['broken.jpg', 'empty.png']);
    writeFileSync(join(folder, 'empty.png'), await sharp(sample('coffee-cup.jpg')).png().toBuffer());
    await page.getByRole('button', { name: 'Try empty.png again' }).click();
    await until(listed, (names) => names.join() === 'broken.jpg');
    await ended(page);
    writeFileSync(join(folder, 'broken.jpg'), readFileSync(sample('raccoon.jpg')));
    await page.getByRole('button', { name: 'Try all again' }).click();
    await until(listed, (names) => names.length === 0);
  });
});

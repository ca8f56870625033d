import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import { setUpDesk } from './harness.ts';
import { writeBroken } from './photos.ts';

const desk = setUpDesk();
const sample = (name: string) => resolve(import.meta.dirname, '../../resources/samples', name);

const judged = async ({ page }: Launched, folder: string): Promise<void> => {
  const idle = () =>
    page.waitForFunction(async () => {
      const run = await window.vouch.runs.current();
      return run.ok && (run.value === null || !['running', 'paused'].includes(run.value.status));
    });
  await idle();
  await page.evaluate(async (path) => {
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(added.error.code);
    await window.vouch.library.scan({ folderIds: [path] });
  }, folder);
  await idle();
};

it('groups similar photos, filters by camera, zooms into tiles, and exports the quarantine', async () => {
  const app = await desk.open();
  const folder = desk.folder();
  const exif = {
    IFD0: { Make: 'Acme', Model: 'Acme One' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' },
  };
  const cat = sharp(sample('cat.jpg')).resize(4000, 2660, { fit: 'fill' });
  writeFileSync(join(folder, 'cat-large.jpg'), await cat.clone().withExif(exif).jpeg().toBuffer());
  writeFileSync(join(folder, 'cat-small.jpg'), await cat.clone().resize(800).jpeg({ quality: 60 }).toBuffer());
  writeFileSync(join(folder, 'stairs.jpg'), readFileSync(sample('stairs.jpg')));
  writeBroken(folder);
  await judged(app, folder);
  const { page } = app;

  await page.getByRole('listbox', { name: /results/i }).waitFor();
  const cells = page.locator('.cell[role=option]');
  await page.evaluate((path) => window.vouch.results.page({ filter: { folderId: path } }), folder);
  const before = Number(await cells.first().getAttribute('aria-setsize'));
  await page.locator('[data-grid]').focus();
  await page.keyboard.press('g');
  const mark = page.locator('.cell .similar').first();
  await mark.waitFor();
  await expect.poll(async () => Number(await cells.first().getAttribute('aria-setsize'))).toBeLessThan(before);
  await mark.click();
  await expect.poll(() => cells.count()).toBeGreaterThanOrEqual(2);
  const grouped = await cells.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt')));
  expect(grouped).toEqual(expect.arrayContaining(['cat-large.jpg', 'cat-small.jpg']));
  await page.locator('[data-grid]').focus();
  await page.keyboard.press('s');
  await page.keyboard.press('g');

  await page.getByRole('button', { name: 'Photo details' }).click();
  await page
    .locator('.photo-filters')
    .getByRole('button', { name: /Any camera/ })
    .click();
  await page.getByRole('option', { name: 'Acme One' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => cells.count()).toBe(1);
  await page.locator('.inspector').getByText('recorded in the file, not shown').waitFor();

  await page.locator('[data-grid]').focus();
  await page.keyboard.press('Enter');
  await page.locator('.canvas').waitFor();
  expect(await page.locator('.canvas .tile').count()).toBe(0);
  await page.keyboard.press('z');
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll<HTMLImageElement>('.canvas .tile')];
    return (
      tiles.length > 0 && tiles.every((tile) => tile.complete && tile.naturalWidth > 0 && tile.naturalWidth <= 512)
    );
  });
  await page.keyboard.press('Escape');

  const out = join(desk.folder(), 'list.csv');
  await app.app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: path });
  }, out);
  const written = await page.evaluate(() => window.vouch.library.exportQuarantine());
  expect(written).toMatchObject({ ok: true, value: { path: out, rows: 2 } });
  const lines = readFileSync(out, 'utf8').trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('\ufeffpath,reason,reasonCode,attempts,bytes,firstTry,lastTry');
  expect(lines.find((line) => line.includes('empty.png'))).toMatch(/The file is empty\.,empty_file,1,0,/);
});

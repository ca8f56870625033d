/**
 * While photos are judged, the window answers: it moves about the grid, opens a photo and closes it, and the main process replies.
 * How fast is for `npm run bench -- responsive` to say.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { setUpDesk } from './harness.ts';
import { writePhotos } from './photos.ts';

const desk = setUpDesk();

it('answers input during a scan, and lets the display server go first', async () => {
  const app = await desk.open();
  const { page } = app;
  const status = () =>
    page.evaluate(async () => {
      const run = await window.vouch.runs.current();
      return run.ok ? run.value?.status : undefined;
    });
  await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe('done');

  const autogroup = `/proc/${app.app.process().pid}/autogroup`;
  const nice = () => (existsSync(autogroup) ? Number(/-?\d+\s*$/.exec(readFileSync(autogroup, 'utf8'))?.[0]) : null);
  const before = nice();

  const folder = desk.folder();
  await writePhotos(folder, 150);
  await page.evaluate(async (path) => {
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(added.error.code);
    await window.vouch.library.scan({ folderIds: added.value.map(({ id }) => id) });
  }, folder);
  if (before !== null) await expect.poll(nice).toBe(10);

  const grid = page.locator('[data-grid]');
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 12);
  await grid.focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('photo-3');
  await page.keyboard.press('Enter');
  await page.locator('.canvas img').first().waitFor();
  await page.keyboard.press('Escape');
  await grid.waitFor();
  expect(await status()).toBe('running');

  await page.evaluate(async () => {
    const run = await window.vouch.runs.current();
    if (run.ok && run.value) await window.vouch.library.cancel({ runId: run.value.id });
  });
  if (before !== null) await expect.poll(nice).toBe(0);
  await app.quit();
});

/**
 * While photos are judged, the window answers: it moves about the grid, opens a photo and closes it, and the main process replies.
 * How fast is for `npm run bench -- responsive` to say.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ended, runNow, scanFolder, setUpApps, until, untilIs } from './harness.ts';
import { writePhotos } from './photos.ts';

const apps = setUpApps();

it('answers input during a scan, and lets the display server go first', async () => {
  const app = await apps.open();
  const { page } = app;
  await ended(page);

  const autogroup = `/proc/${app.app.process().pid}/autogroup`;
  const nice = () => (existsSync(autogroup) ? Number(/-?\d+\s*$/.exec(readFileSync(autogroup, 'utf8'))?.[0]) : null);
  const hasSessions = nice() !== null;

  const folder = apps.folder();
  await writePhotos(folder, 300);
  await scanFolder(page, folder);
  const grid = page.locator('[data-grid]');
  /** Of the current photo, as long as it is in sight. */
  const name = () =>
    page.evaluate(() => document.querySelector('[aria-selected=true] img')?.getAttribute('alt') ?? null);
  await page.getByRole('option').nth(12).waitFor();
  await grid.focus();
  for (let i = 0; i < 3; i += 1) {
    // New photos come in before the current one, so that its place may change, but not its name.
    const before = await name();
    await page.keyboard.press('ArrowRight');
    await until(name, (now) => now !== before);
  }
  await page.keyboard.press('Enter');
  await page.getByTestId('canvas').getByRole('img').first().waitFor();
  await page.keyboard.press('Escape');
  await grid.waitFor();
  const run = await runNow(page);
  expect(run?.status).toBe('running');

  // At the priority that judging has unless a person asks for more.
  await page.evaluate(() => window.vouch.engine.configure({ priority: 'below_normal' }));
  if (hasSessions) await untilIs(async () => nice(), 10);
  await page.evaluate((runId) => window.vouch.library.cancel({ runId }), run!.id);
  if (hasSessions) await untilIs(async () => nice(), 0);
  await app.quit();
});

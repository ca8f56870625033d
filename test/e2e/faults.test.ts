/** What a person reads when something is wrong with what they gave: a sentence, in either language, never data. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import { notForPeople } from '../fixtures/errors.ts';
import { ended, setUpApps } from './harness.ts';

const apps = setUpApps();

const speak = (page: Page, language: 'en' | 'zh-CN') =>
  page.evaluate((wanted) => window.vouch.settings.set({ language: wanted }), language);

it('a statement set with a mistake is refused with its line, and nothing is imported', async () => {
  const { app, page, quit } = await apps.open();
  await ended(page);
  const file = join(apps.folder(), 'pets.yaml');
  writeFileSync(file, 'name: pets\nstatements:\n  - text: a dog\n    yes: often\n');
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, file);
  await page.keyboard.press('Control+4');

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText(`${file}, line 4: statements[0].yes must be a number. Nothing was imported.`).waitFor();
  await speak(page, 'zh-CN');
  await page.getByRole('button', { name: '导入', exact: true }).click();
  await page.getByText(`${file} 第 4 行：statements[0].yes must be a number。未导入任何内容。`).waitFor();

  const sets = await page.evaluate(() => window.vouch.statements.sets({}));
  expect(sets.ok && sets.value.map(({ name }) => name)).toEqual(['samples']);
  await quit();
});

/** As from a file manager: Chromium itself is told of the file, so that the page can ask for its path. */
const drop = async (page: Page, path: string): Promise<void> => {
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  }
  await session.detach();
};

it('a broken picture that is dropped to be checked is told of in words', async () => {
  const { page, quit } = await apps.open();
  await ended(page);
  const file = join(apps.folder(), 'broken.jpg');
  writeFileSync(file, 'this is text');
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: /^Spot-check/ }).click();
  await page.getByText('Any photo', { exact: true }).click();
  await drop(page, file);
  const panel = page.getByRole('complementary');
  await panel.getByRole('textbox').fill('a cat');
  const sentence = panel.getByText(file);
  await sentence.waitFor();
  expect(await sentence.textContent()).toBe(`${file}: Not an image: the content is text.`);
  expect(await panel.textContent()).not.toMatch(notForPeople);

  // A whole one is judged in its place.
  await drop(page, resolve(import.meta.dirname, '../../resources/samples/cat.jpg'));
  await page.locator('[aria-busy=false]').getByTestId('chip').filter({ hasText: 'YES' }).waitFor();
  expect(await panel.getByText(file).count()).toBe(0);
  await quit();
});

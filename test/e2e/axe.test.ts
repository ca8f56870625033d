/**
 * axe-core finds nothing on any screen of the real app, full or empty. Every screen is looked at in dark English and in
 * light Chinese; all other looks differ from those in colours alone, so only their contrast is looked at. Screens, themes
 * and languages are those that there are, so a new one is looked at by itself.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, it } from 'vitest';
import { type Language, languages, wordsOf } from '../../build/scripts/words.ts';
import { screens } from '../../main/contract/screen-names.ts';
import { type ThemeName, themes } from '../../main/contract/themes.ts';
import { ended, scanFolder, setUpApps, until } from './harness.ts';
import { writeBroken } from './photos.ts';

const apps = setUpApps();
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sample = resolve(import.meta.dirname, '../../resources/samples/raccoon.jpg');

type Look = Readonly<{ theme: ThemeName; language: Language; options: RunOptions }>;
const coloursOnly: RunOptions = { runOnly: ['color-contrast'] };
const looks: readonly Look[] = themes.flatMap(({ name }, at) =>
  languages.map((language, other) => ({ theme: name, language, options: at === other ? {} : coloursOnly })),
);

type WithAxe = Readonly<{ axe?: { run: (options: RunOptions) => Promise<AxeResults> } }>;

/** What axe found, one line for each element. */
const problems = async (page: Page, options: RunOptions): Promise<readonly string[]> => {
  // The page's policy allows no script tags; evaluate does not need one.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate((asked) => (window as unknown as WithAxe).axe!.run(asked), options);
  // The keys of the field that is in focus scroll the list that it controls, which axe cannot know.
  const controlled = await page.evaluate(() => document.activeElement?.getAttribute('aria-controls') ?? null);
  const isReached = (rule: string, html: string) =>
    rule === 'scrollable-region-focusable' && controlled !== null && html.includes(`id="${controlled}"`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !isReached(id, html))
      .map(({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 200)} ${failureSummary}`),
  );
};

/** Everything is there and nothing is still fading in: colours are told as they are painted. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('main [role=progressbar]:not([aria-valuenow])') === null &&
      [...document.images].every((image) => image.complete),
  );
  await page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ending = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    await drawn();
    for (let now = ending(); now.length > 0; now = ending()) {
      await Promise.all(now.map(({ finished }) => finished.catch(() => undefined)));
      await drawn();
    }
  });
};

/** Takes the page as it stands and remembers what axe has against it. */
type Check = (where: string) => Promise<void>;

/** Every entry of the rail, and those that one of them unfolds. */
const lookAtScreens = async (page: Page, check: Check): Promise<void> => {
  const open = async (entry: Locator) => {
    await entry.click();
    await check((await entry.textContent()) ?? '');
  };
  const entries = await page.getByTestId('screen').all();
  expect(entries).toHaveLength(screens.length);
  for (const entry of entries) {
    await open(entry);
    for (const below of await page.getByTestId('entry').all()) await open(below);
  }
};

const lookAtReview = async (page: Page, check: Check, language: Language): Promise<void> => {
  const words = wordsOf(language);
  const queue = (name: string) => page.getByTestId('entry').filter({ hasText: name });
  await page.keyboard.press('Control+1');
  await queue(words.queue.review).click();
  await page.getByTestId('canvas').waitFor();
  await page.keyboard.press('h');
  await check('answer hidden');
  await page.keyboard.press('h');
  await page.keyboard.press('g');
  await page.getByRole('option').nth(1).click();
  const shift = { modifiers: ['Shift' as const] };
  await page.getByRole('option').nth(3).click(shift);
  await check('review grid with a selection');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await queue(words.queue.flagged).click();
  await page.getByTestId('flag').first().waitFor();
  await check('spot-check with a flag');
  await page.getByText(words.review.anyPhoto, { exact: true }).click();
  await check('any photo, none yet');
  await page.setInputFiles('input[type=file]', sample);
  await page.getByRole('complementary').getByRole('textbox').fill('a raccoon is sleeping');
  await page.locator('[aria-busy=false]').getByTestId('chip').waitFor();
  await check('any photo, judged');
  await page.getByRole('button', { name: words.try.discard, exact: true }).click();
};

/** A search with photos that fit, with none, and with a text that cannot be searched for. */
const lookAtSearch = async (page: Page, check: Check): Promise<void> => {
  await page.keyboard.press('Control+3');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox');
  const look = async (text: string, there: Locator) => {
    await field.fill(text);
    await there.first().waitFor();
    await check(`a search for ${text}`);
  };
  await look('a happy animal', page.getByTestId('not-checked'));
  await look('a zebra', page.getByTestId('empty'));
  await look('maybe', page.getByTestId('empty').getByRole('heading', { name: 'maybe' }));
  await page.keyboard.press('Escape');
  await page.locator('[data-grid]').getByRole('option').nth(3).waitFor();
};

const lookAtPhoto = async (page: Page, check: Check): Promise<void> => {
  await page.keyboard.press('Control+3');
  await page.getByRole('option').first().dblclick();
  await page.getByTestId('canvas').waitFor();
  await check('photo');
  await page.keyboard.press('Escape');
};

const lookAtDialogs = async (page: Page, check: Check, language: Language): Promise<void> => {
  const words = wordsOf(language);
  const dialog = page.getByRole('dialog');
  const checkOpen = async (where: string) => {
    await dialog.waitFor();
    await check(where);
    await dialog.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  for (const key of ['Control+k', '?', 'Control+Shift+E']) {
    await page.keyboard.press(key);
    await checkOpen(`the dialog of ${key}`);
  }
  await page.keyboard.press('Control+2');
  for (const entry of [words.library.settings, words.library.remove]) {
    await page.getByRole('table').first().getByRole('row').nth(1).getByRole('button').last().click();
    await page.getByRole('menuitem').first().waitFor();
    await check('menu of a folder');
    await page.getByRole('menuitem', { name: entry }).click();
    await checkOpen(entry);
  }
};

const lookAtTabs = async (page: Page, check: Check, language: Language): Promise<void> => {
  await page.keyboard.press('Control+5');
  await page.getByText(wordsOf(language).engine.tab.bench, { exact: true }).click();
  await check('benchmark');
  await page.keyboard.press('Control+6');
  await page.getByTestId('key-row').first().getByRole('button').first().click();
  await page.getByText(wordsOf(language).settings.keys.press).waitFor();
  await check('a key being chosen');
  await page.keyboard.press('Escape');
  await page.getByText(wordsOf(language).settings.keys.press).waitFor({ state: 'detached' });
};

/** Something in every list: a quarantined file, a flag, an audit under way with decisions on it. */
const fill = async (page: Page, broken: string): Promise<void> => {
  await ended(page);
  await scanFolder(page, broken);
  await ended(page);
  await page.evaluate(async () => {
    const answer = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      return result.value;
    };
    const { review } = window.vouch;
    const wanted = answer(await review.page({ queue: 'review', limit: 2 })).items;
    const targets = wanted.map(({ photoId, statementId }) => ({ photoId, statementId }));
    answer(await review.flag({ targets, set: true, reason: 'look again' }));
    answer(await review.drawAudit({ count: 12 }));
    const audit = answer(await review.page({ queue: 'audit', limit: 8 })).items;
    for (const { verdictId } of audit)
      answer(
        await review.decide({ verdictIds: [verdictId], decision: { kind: 'confirm' }, blind: true, tookMs: 1500 }),
      );
  });
};

it('finds nothing on any screen, full or empty, in any theme or language', async () => {
  const { page, quit } = await apps.open();
  const broken = apps.folder();
  writeBroken(broken);
  await fill(page, broken);
  const found: string[] = [];
  const wear = async ({ theme, language, options }: Look, state: string): Promise<Check> => {
    await page.evaluate((wanted) => window.vouch.settings.set(wanted), { theme, language });
    await page.waitForFunction(
      (wanted) =>
        document.documentElement.dataset.theme === wanted.theme && document.documentElement.lang === wanted.language,
      { theme, language },
    );
    return async (where) => {
      await settled(page);
      for (const problem of await problems(page, options))
        found.push(`${state}${theme}, ${language}, ${where}: ${problem}`);
    };
  };
  for (const look of looks) {
    const check = await wear(look, '');
    await lookAtScreens(page, check);
    await lookAtReview(page, check, look.language);
    await lookAtSearch(page, check);
    await lookAtPhoto(page, check);
    await lookAtDialogs(page, check, look.language);
    await lookAtTabs(page, check, look.language);
  }
  await page.evaluate(async () => {
    const folders = await window.vouch.library.folders();
    if (!folders.ok) throw new Error(JSON.stringify(folders.error));
    for (const { id } of folders.value) await window.vouch.library.remove({ folderId: id });
  });
  // Queues that hold nothing any more leave the rail: only then is the window at rest.
  await until(
    () => page.getByTestId('screen').first().textContent(),
    (text) => /\D0$/.test(text ?? ''),
  );
  for (const look of looks) await lookAtScreens(page, await wear(look, 'empty, '));
  expect(found).toEqual([]);
  await quit();
});

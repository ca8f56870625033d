/**
 * Pictures of the running app: every screen in both themes and languages, as `SCREEN-THEME-LANGUAGE.png`.
 *
 *   npm run -s screenshots -- FOLDER [--home DIR] [--themes dark,light] [--languages en,zh-CN]
 *
 * Without a home it is a first run, which shows the bundled samples.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import type { VouchApi } from '../../main/contract/api.ts';
import { eventChannel } from '../../main/contract/channels.ts';
import { type ScreenName, screens } from '../../main/contract/screen-names.ts';
import { themes } from '../../main/contract/themes.ts';
import { type Launched, openLauncher } from './electron-launch.ts';
import { NeedsError } from './electron-needs.ts';
import { type Language, languages, wordsOf } from './words.ts';

type WithVouch = Readonly<{ vouch: VouchApi }>;

const workLimitMs = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    home: { type: 'string' },
    themes: { type: 'string', default: themes.map(({ name }) => name).join() },
    languages: { type: 'string', default: 'en,zh-CN' },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);

const isSettled = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const { vouch } = window as unknown as WithVouch;
    const [engine, run] = await Promise.all([vouch.engine.state(), vouch.runs.current()]);
    if (!engine.ok || !run.ok) return false;
    const resting = run.value === null || !['running', 'paused'].includes(run.value.status);
    return resting && ['ready', 'failed'].includes(engine.value.status);
  });

/** Waits until the engine is proven and no run is under way. */
const settled = async (page: Page): Promise<void> => {
  const limit = performance.now() + workLimitMs;
  while (!(await isSettled(page))) {
    if (performance.now() > limit) throw new Error(`the app did not come to rest in ${workLimitMs / 1000} s`);
    await page.waitForTimeout(250);
  }
};

const drawn = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(400);
};

const show = ({ app }: Launched, screen: ScreenName) =>
  app.evaluate(
    ({ BrowserWindow }, [channel, wanted]) =>
      BrowserWindow.getAllWindows()[0]!.webContents.send(channel, 'command', { kind: 'show', screen: wanted }),
    [eventChannel, screen] as const,
  );

/** The review beyond its first look: grid with a selection, a flagged item, keys, any photo, quality. */
const shootReview = async (
  launched: Launched,
  language: Language,
  take: (name: string) => Promise<void>,
): Promise<void> => {
  const { page } = launched;
  const words = wordsOf(language);
  const open = (name: string) => page.getByTestId('entry').filter({ hasText: name }).click();
  await show(launched, 'review');
  await open(words.queue.review);
  await page.getByTestId('canvas').waitFor();
  await page.keyboard.press('?');
  await take('review-keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await take('review-hidden');
  await page.keyboard.press('h');
  await page.keyboard.press('g');
  await page.getByRole('option').nth(1).click();
  await page
    .getByRole('option')
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await take('review-grid');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await open(words.queue.flagged);
  await take('review-flagged');
  await page.getByText(words.review.anyPhoto, { exact: true }).click();
  await take('review-try-empty');
  await page.setInputFiles('input[type=file]', resolve(import.meta.dirname, '../../resources/samples/raccoon.jpg'));
  await page.getByRole('complementary').getByRole('textbox').fill('a raccoon is sleeping');
  await page.locator('[aria-busy=false]').getByTestId('chip').waitFor();
  await take('review-try');
  await open(words.quality.title);
  await page.getByRole('heading', { name: words.risk.title }).waitFor();
  await take('review-quality');
};

/** A search with photos that fit, and one that nothing here can look for. */
const shootSearch = async (launched: Launched, take: (name: string) => Promise<void>): Promise<void> => {
  const { page } = launched;
  await show(launched, 'results');
  const find = async (text: string) => {
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox').fill(text);
  };
  await find('a happy animal or a person');
  await page.getByTestId('not-checked').waitFor();
  await take('results-search');
  await find('IMG_0042');
  await page.getByTestId('empty').waitFor();
  await take('results-search-cannot');
  await page.keyboard.press('Escape');
  await page.getByTestId('empty').waitFor({ state: 'detached' });
};

const shoot = async (launched: Launched, folder: string, theme: string, language: Language): Promise<void> => {
  const { page } = launched;
  await page.evaluate(
    (change) =>
      (window as unknown as WithVouch).vouch.settings.set(change as Parameters<VouchApi['settings']['set']>[0]),
    { theme, language },
  );
  const take = async (name: string) => {
    await drawn(page);
    const path = join(folder, `${name}-${theme}-${language}.png`);
    await page.screenshot({ path });
    say(path);
  };
  for (const { name } of screens) {
    await show(launched, name);
    await take(name);
  }
  await shootReview(launched, language, take);
  await shootSearch(launched, take);
  await show(launched, 'results');
  const photo = page.getByRole('option').first();
  if ((await photo.count()) === 0) return;
  await photo.dblclick();
  await take('photo');
  await page.keyboard.press('Escape');
};

try {
  const [out] = positionals;
  if (!out) throw new Error('give the folder to write to');
  const folder = resolve(out);
  mkdirSync(folder, { recursive: true });
  const home = values.home ?? mkdtempSync(join(tmpdir(), 'vouch-screenshots-'));
  const launcher = await openLauncher(say);
  const launched = await launcher.launch(home);
  try {
    await settled(launched.page);
    for (const theme of values.themes.split(',')) {
      for (const language of languages.filter((name) => values.languages.split(',').includes(name)))
        await shoot(launched, folder, theme, language);
    }
  } finally {
    await launched.quit();
    launcher.display.close();
    if (values.home === undefined) rmSync(home, { recursive: true, force: true });
  }
} catch (error) {
  say(error instanceof NeedsError ? error.message : String(error));
  process.exitCode = 1;
}

/** The review in the real app, by keyboard: what a person decides is what the store holds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import type { QueueName } from '../../main/contract/review.ts';
import { setUpDesk } from './harness.ts';
import { writePhotos } from './photos.ts';

const desk = setUpDesk();
const photos = 60;

/** Gives up once the answer has been the same for so long, however long it takes a busy machine to get on. */
const stuckMs = 120_000;

const until = async <T>(ask: () => Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  let last = '';
  let changedAt = performance.now();
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    const now = JSON.stringify(value) ?? '';
    if (now !== last) changedAt = performance.now();
    last = now;
    if (performance.now() - changedAt > stuckMs) throw new Error(`still ${now.slice(0, 1000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const countOf = ({ page }: Launched, name: QueueName): Promise<number> =>
  page.evaluate(async (wanted) => {
    const view = await window.vouch.review.queues({});
    if (!view.ok) throw new Error(JSON.stringify(view.error));
    return view.value.queues.find((queue) => queue.name === wanted)?.count ?? -1;
  }, name);

/** Decisions that stand, of the whole audit trail: an undo takes back what it names. */
const standing = ({ page }: Launched) =>
  page.evaluate(async () => {
    const trail = [];
    for (let cursor: string | null = null; ; ) {
      const page = await window.vouch.review.history({ cursor, limit: 500 });
      if (!page.ok) throw new Error(JSON.stringify(page.error));
      trail.push(...page.value.items);
      cursor = page.value.next;
      if (cursor === null) break;
    }
    const undone = new Set(trail.map(({ undoes }) => undoes));
    return trail
      .filter(({ id, kind }) => kind !== 'undo' && !undone.has(id))
      .map(({ kind, label, note, photoId, statementId }) => ({ kind, label, note, pair: `${photoId} ${statementId}` }));
  });

/** What the app says of itself in the rail: "Needs review 12". */
const railCount = ({ page }: Launched, name: RegExp): Promise<number> =>
  page
    .getByRole('button', { name })
    .first()
    .locator('.count')
    .textContent()
    .then((text) => Number((text ?? '').replace(/\D/g, '')));

const place = async ({ page }: Launched): Promise<string> => (await page.locator('.place').textContent()) ?? '';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the screen at hand, as "rule: element". */
const faults = async ({ page }: Launched): Promise<readonly string[]> => {
  // Past any transition of colours.
  await page.waitForTimeout(250);
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 160)}`),
    );
  });
};

/** A library of one statement on photos that it cannot decide, so that every pair wants a review; nothing else is in it. */
const openLibrary = async (): Promise<Launched> => {
  const app = await desk.open();
  const idle = () =>
    until(
      () =>
        app.page.evaluate(async () => {
          const run = await window.vouch.runs.current();
          return run.ok && run.value !== null && run.value.endedAt !== null;
        }),
      (ended) => ended,
    );
  await idle();
  const folder = desk.folder();
  await writePhotos(folder, photos);
  await app.page.evaluate(async () => {
    // However busy the machine, no photo is given up for being late.
    await window.vouch.settings.set({ ladder: { bulkMs: 600_000 } });
    const saved = await window.vouch.statements.save({ id: null, name: 'mine', statements: [{ text: 'a zorblax' }] });
    if (!saved.ok) throw new Error(JSON.stringify(saved.error));
    await window.vouch.statements.archive({ kind: 'set', id: 'samples', archived: true });
  });
  await idle();
  await app.page.evaluate(async (path) => {
    const folders = await window.vouch.library.folders();
    for (const { id } of folders.ok ? folders.value : []) await window.vouch.library.remove({ folderId: id });
    const added = await window.vouch.library.add({ paths: [path] });
    if (!added.ok) throw new Error(JSON.stringify(added.error));
    await window.vouch.library.scan({ folderIds: added.value.map(({ id }) => id) });
  }, folder);
  await until(
    async () => ({
      wanting: await countOf(app, 'review'),
      run: await app.page.evaluate(() => window.vouch.runs.current()),
    }),
    ({ wanting, run }) => wanting === photos && run.ok && run.value?.status === 'done',
  );
  return app;
};

describe('the review', () => {
  it('decides 50 photos by keyboard alone, takes 10 back, and keeps counts and store in step', async () => {
    const app = await openLibrary();
    const { keyboard } = app.page;
    await keyboard.press('Control+1');
    await app.page.locator('.canvas').waitFor();
    expect(await place(app)).toMatch(`1 of ${photos}`);

    const pressed = Array.from({ length: 50 }, (_, i) => ['y', 'n', 'm', 'Enter', 's'][i % 5]!);
    for (const key of pressed) await keyboard.press(key);
    await until(
      () => place(app),
      (text) => text.startsWith(`51 of ${photos}`),
    );
    for (let i = 0; i < 10; i++) await keyboard.press(i % 2 === 0 ? 'u' : 'Control+z');
    await until(
      () => place(app),
      (text) => text.startsWith(`41 of ${photos}`),
    );
    const made = await until(
      () => standing(app),
      (decisions) => decisions.length === 40,
    );
    const labels = made.map(({ kind, label }) => (kind === 'skip' ? 'skip' : label));
    const counted = Map.groupBy(labels, (label) => label);
    // The model says MAYBE to a thing it does not know, so Enter confirms MAYBE.
    expect([
      counted.get('yes')?.length,
      counted.get('no')?.length,
      counted.get('maybe')?.length,
      counted.get('skip')?.length,
    ]).toEqual([8, 8, 16, 8]);
    expect(new Set(made.map(({ pair }) => pair)).size).toBe(40);
    expect(await countOf(app, 'review')).toBe(photos - 40);
    await until(
      () => railCount(app, /^Needs review/),
      (count) => count === photos - 40,
    );

    // Single keys are letters while a note is typed; the note goes with the decision.
    await keyboard.press('c');
    await keyboard.type('nymphs, sunny');
    await keyboard.press('Enter');
    expect(await place(app)).toMatch(/^41 of/);
    expect(await standing(app)).toHaveLength(40);
    await keyboard.press('y');
    const noted = await until(
      () => standing(app),
      (decisions) => decisions.length === 41,
    );
    expect(noted.find(({ note }) => note !== null)).toMatchObject({ label: 'yes', note: 'nymphs, sunny' });

    // A flag is found in spot-check, with its reason, and goes when it is decided.
    await keyboard.press('c');
    await keyboard.type('look again');
    await keyboard.press('Enter');
    await keyboard.press('f');
    await until(
      () => countOf(app, 'flagged'),
      (count) => count === 1,
    );
    await app.page.getByRole('button', { name: /^Spot-check/ }).click();
    const flag = app.page.locator('.callout.flagged');
    await flag.waitFor();
    expect(await flag.textContent()).toContain('look again');
    expect(await place(app)).toMatch(/^1 of 1/);
    await keyboard.press('n');
    await until(
      () => countOf(app, 'flagged'),
      (count) => count === 0,
    );
    await app.page.getByText('The queue is done').waitFor();
    expect(app.stderr()).not.toMatch(/Unhandled|MaxListeners/);
    await app.quit();
  });

  it('has no fault that axe knows, in either theme', async () => {
    const app = await desk.open();
    const { page } = app;
    await until(
      () => countOf(app, 'review'),
      (count) => count > 8,
    );
    const sample = resolve(import.meta.dirname, '../../resources/samples/cat.jpg');
    for (const theme of ['dark', 'light'] as const) {
      await page.evaluate((wanted) => window.vouch.settings.set({ theme: wanted }), theme);
      await page.keyboard.press('Control+1');
      await page.getByRole('button', { name: /^Needs review/ }).click();
      await page.locator('.canvas').waitFor();
      expect(await faults(app), `focus, ${theme}`).toEqual([]);
      await page.keyboard.press('h');
      expect(await faults(app), `answer hidden, ${theme}`).toEqual([]);
      await page.keyboard.press('h');
      await page.keyboard.press('g');
      await page.getByRole('option').nth(1).click();
      await page
        .getByRole('option')
        .nth(3)
        .click({ modifiers: ['Shift'] });
      expect(await faults(app), `grid, ${theme}`).toEqual([]);
      await page.keyboard.press('g');
      await page.getByRole('button', { name: /^Spot-check/ }).click();
      await page.getByText('Any photo', { exact: true }).click();
      await page.setInputFiles('input[type=file]', sample);
      await page.locator('.inspector textarea').fill('a cat');
      await page.locator('.verdict .chip').waitFor();
      expect(await page.locator('.verdict .chip').textContent()).toBe('YES');
      expect(await faults(app), `any photo, ${theme}`).toEqual([]);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('button', { name: 'Quality', exact: true }).click();
      await page.locator('.quality').waitFor();
      expect(await faults(app), `quality, ${theme}`).toEqual([]);
      await page.keyboard.press('Control+6');
      expect(await faults(app), `keys in the settings, ${theme}`).toEqual([]);
    }
    await app.quit();
  });

  it('decides many at once in the grid, and takes them back as one', async () => {
    const app = await openLibrary();
    const { keyboard } = app.page;
    await keyboard.press('Control+1');
    await app.page.locator('.canvas').waitFor();

    // Keys are a person's own: once Y is A, Y does nothing.
    await app.page.evaluate(() => window.vouch.settings.set({ keys: { 'review yes': ['a'] } }));
    await app.page.locator('.answers').getByText('A', { exact: true }).waitFor();
    await keyboard.press('y');
    await keyboard.press('a');
    await until(
      () => standing(app),
      (decisions) => decisions.length === 1,
    );
    await until(
      () => place(app),
      (text) => text.startsWith('2 of'),
    );
    await keyboard.press('u');
    await until(
      () => standing(app),
      (decisions) => decisions.length === 0,
    );
    await until(
      () => place(app),
      (text) => text.startsWith('1 of'),
    );
    await app.page.evaluate(() => window.vouch.settings.set({ keys: {} }));
    await app.page.locator('.answers').getByText('Y', { exact: true }).waitFor();

    await keyboard.press('g');
    await app.page.getByRole('option').first().waitFor();

    const selected = () => app.page.locator('[role=option][aria-selected=true]').count();
    await keyboard.press('Space');
    for (let i = 0; i < 4; i++) await keyboard.press('Shift+ArrowRight');
    await until(selected, (count) => count === 5);
    await keyboard.press('y');
    await until(
      () => countOf(app, 'review'),
      (count) => count === photos - 5,
    );
    expect((await standing(app)).map(({ label }) => label)).toEqual(Array(5).fill('yes'));

    await keyboard.press('Control+a');
    await app.page
      .getByText(`${photos - 5} selected`)
      .first()
      .waitFor();
    await keyboard.press('Enter');
    await app.page.getByText('The queue is done').waitFor();
    await until(
      () => countOf(app, 'review'),
      (count) => count === 0,
    );
    await keyboard.press('u');
    await until(
      () => countOf(app, 'review'),
      (count) => count === photos - 5,
    );
    expect(await standing(app)).toHaveLength(5);

    // Mouse: a click, then one with Shift, then one with Ctrl.
    const option = app.page.getByRole('option');
    await option.nth(1).click();
    await option.nth(3).click({ modifiers: ['Shift'] });
    await option.nth(2).click({ modifiers: ['Control'] });
    expect(await selected()).toBe(2);
    await keyboard.press('n');
    const made = await until(
      () => standing(app),
      (decisions) => decisions.length === 7,
    );
    expect(made.filter(({ label }) => label === 'no')).toHaveLength(2);
    await app.quit();
  });
});

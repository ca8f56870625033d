/** The review in the real app, by keyboard: what a person decides is what the store holds. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import type { QueueName } from '../../main/contract/review.ts';
import { ended, scanFolder, setUpApps, until, untilIs } from './harness.ts';
import { writePhotos } from './photos.ts';

const apps = setUpApps();
const photos = 60;

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
      .map(({ kind, label, note, blind, photoId, statementId }) => ({
        ...{ kind, label, note, blind },
        pair: `${photoId} ${statementId}`,
      }));
  });

/** What the app says of itself in the rail: "Needs review 12". */
const railCount = ({ page }: Launched, name: RegExp): Promise<number> =>
  page
    .getByRole('button', { name })
    .first()
    .getByTestId('count')
    .textContent()
    .then((text) => Number((text ?? '').replace(/\D/g, '')));

/** "12 of 60" is on the screen. */
const isAt = ({ page }: Launched, place: string) =>
  until(
    async () => (await page.getByTestId('place').textContent()) ?? '',
    (text) => text.startsWith(place),
  );

const decided = (app: Launched, count: number) =>
  until(
    () => standing(app),
    (decisions) => decisions.length === count,
  );

const wanting = (app: Launched, count: number, queue: QueueName = 'review') =>
  untilIs(() => countOf(app, queue), count);

/** A library of one statement on photos that it cannot decide, so that every pair wants a review; nothing else is in it. */
const openLibrary = async (): Promise<Launched> => {
  const app = await apps.open();
  const { page } = app;
  await ended(page);
  const folder = apps.folder();
  await writePhotos(folder, photos);
  await page.evaluate(async () => {
    const saved = await window.vouch.statements.save({ id: null, name: 'mine', statements: [{ text: 'a zorblax' }] });
    if (!saved.ok) throw new Error(JSON.stringify(saved.error));
    await window.vouch.statements.archive({ kind: 'set', id: 'samples', archived: true });
  });
  await ended(page);
  await page.evaluate(async () => {
    const folders = await window.vouch.library.folders();
    for (const { id } of folders.ok ? folders.value : []) await window.vouch.library.remove({ folderId: id });
  });
  await scanFolder(page, folder);
  expect((await ended(page)).status).toBe('done');
  await wanting(app, photos);
  return app;
};

describe('the review', () => {
  it('decides 50 photos by keyboard alone, takes 10 back, and keeps counts and store in step', async () => {
    const app = await openLibrary();
    const { keyboard } = app.page;
    await keyboard.press('Control+1');
    await app.page.getByTestId('canvas').waitFor();
    await isAt(app, `1 of ${photos}`);

    const pressed = Array.from({ length: 50 }, (_, i) => ['y', 'n', 'm', 'Enter', 's'][i % 5]!);
    for (const key of pressed) await keyboard.press(key);
    await isAt(app, `51 of ${photos}`);
    for (let i = 0; i < 10; i++) await keyboard.press(i % 2 === 0 ? 'u' : 'Control+z');
    await isAt(app, `41 of ${photos}`);
    await wanting(app, photos - 40);
    const made = await decided(app, 40);
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
    await untilIs(() => railCount(app, /^Needs review/), photos - 40);

    // Single keys are letters while a note is typed; the note goes with the decision. The hidden inspector, where it
    // is typed, comes back for it.
    await keyboard.press('i');
    await app.page.getByRole('complementary').waitFor({ state: 'detached' });
    await keyboard.press('c');
    const field = app.page.getByRole('textbox', { name: /^Note/ });
    await untilIs(() => field.evaluate((element) => element === document.activeElement), true);
    await keyboard.type('nymphs, sunny');
    await untilIs(() => field.inputValue(), 'nymphs, sunny');
    await keyboard.press('Enter');
    await app.page.getByRole('button', { name: 'nymphs, sunny' }).waitFor();
    await isAt(app, '41 of');
    expect(await standing(app)).toHaveLength(40);
    await keyboard.press('y');
    const noted = await decided(app, 41);
    expect(noted.find(({ note }) => note !== null)).toMatchObject({ label: 'yes', note: 'nymphs, sunny' });

    // A flag is found in spot-check, with its reason, and goes when it is decided.
    await isAt(app, '42 of');
    await keyboard.press('c');
    await keyboard.type('look again');
    await keyboard.press('Enter');
    await app.page.getByRole('button', { name: 'look again' }).waitFor();
    await keyboard.press('f');
    await wanting(app, 1, 'flagged');
    // Undo takes back flagging too: the flag that was taken off is there again, and why.
    await keyboard.press('f');
    await wanting(app, 0, 'flagged');
    await keyboard.press('u');
    await wanting(app, 1, 'flagged');
    await app.page.getByRole('button', { name: /^Spot-check/ }).click();
    await app.page.getByTestId('flag').filter({ hasText: 'look again' }).waitFor();
    await isAt(app, '1 of 1');
    await keyboard.press('n');
    await wanting(app, 0, 'flagged');
    await app.page.getByText('The queue is done').waitFor();

    // The palette leaves out what cannot be done now.
    const offered = (text: string) => app.page.getByRole('menuitem', { name: text, exact: true });
    await keyboard.press('Control+k');
    await offered('Undo the last decision or flag').waitFor();
    for (const text of ['Decide YES', 'Skip', 'Write a note', 'Next in the queue']) {
      expect(await offered(text).count(), text).toBe(0);
    }
    await keyboard.press('Escape');
    await offered('Undo the last decision or flag').waitFor({ state: 'detached' });

    // The audit tells nothing of the model's answer, whatever was decided before: neither by the photo nor in the grid.
    await app.page.evaluate(() => window.vouch.review.drawAudit({ count: 60 }));
    await until(
      () => countOf(app, 'audit'),
      (count) => count >= 20,
    );
    await app.page.getByRole('button', { name: /^Audit/ }).click();
    await app.page.getByTestId('hidden-answer').waitFor();
    const answers = app.page.getByTestId(/^(chip|bars|why|evidence|trail|tags|foot)$/);
    for (let at = 1; at <= 15; at++) {
      await isAt(app, `${at} of`);
      await app.page.getByTestId('facts').waitFor();
      expect(await answers.count()).toBe(0);
      await keyboard.press('ArrowRight');
    }
    const blindOnes = async () => (await standing(app)).filter(({ blind }) => blind).length;
    await keyboard.press('n');
    await untilIs(blindOnes, 1);
    await keyboard.press('g');
    await app.page.getByRole('option').first().waitFor();
    expect(await answers.count()).toBe(0);
    // There was something to tell.
    await keyboard.press('h');
    await app.page.getByRole('option').getByTestId('chip').first().waitFor();
    await app.page.getByRole('complementary').getByTestId('bars').waitFor();
    // Whose answer was in sight is not reviewed blind any more, hidden again or not.
    await keyboard.press('h');
    await app.page.getByTestId('hidden-answer').waitFor();
    const { length } = await standing(app);
    await keyboard.press('y');
    await decided(app, length + 1);
    expect(await blindOnes()).toBe(1);
    expect(app.stderr()).not.toMatch(/Unhandled|MaxListeners/);
    await app.quit();
  });

  it('decides many at once in the grid, and takes them back as one', async () => {
    const app = await openLibrary();
    const { keyboard } = app.page;
    await keyboard.press('Control+1');
    await app.page.getByTestId('canvas').waitFor();

    // Keys are a person's own: once Y is A, Y does nothing.
    await app.page.evaluate(() => window.vouch.settings.set({ keys: { 'review yes': ['a'] } }));
    await app.page.getByTestId('answers').getByText('A', { exact: true }).waitFor();
    await keyboard.press('y');
    await keyboard.press('a');
    await decided(app, 1);
    await isAt(app, '2 of');
    await keyboard.press('u');
    await decided(app, 0);
    await isAt(app, '1 of');
    await app.page.evaluate(() => window.vouch.settings.set({ keys: {} }));
    await app.page.getByTestId('answers').getByText('Y', { exact: true }).waitFor();

    const option = app.page.getByRole('option');
    const selected = (count: number) => untilIs(() => app.page.getByRole('option', { selected: true }).count(), count);
    await keyboard.press('g');
    await option.first().waitFor();
    await keyboard.press('Space');
    for (let i = 0; i < 4; i++) await keyboard.press('Shift+ArrowRight');
    await selected(5);
    await keyboard.press('y');
    await wanting(app, photos - 5);
    expect((await decided(app, 5)).map(({ label }) => label)).toEqual(Array(5).fill('yes'));

    await keyboard.press('Control+a');
    await app.page
      .getByText(`${photos - 5} selected`)
      .first()
      .waitFor();
    await keyboard.press('Enter');
    await app.page.getByText('The queue is done').waitFor();
    await wanting(app, 0);
    await keyboard.press('u');
    await wanting(app, photos - 5);
    await decided(app, 5);
    // The keys are the grid's again.
    await option.first().waitFor();
    await keyboard.press('Home');
    for (let i = 0; i < 2; i++) await keyboard.press('Shift+ArrowRight');
    await selected(3);

    // Mouse: a click, then one with Shift, then one with Ctrl.
    await option.nth(1).click();
    await option.nth(3).click({ modifiers: ['Shift'] });
    await option.nth(2).click({ modifiers: ['Control'] });
    await selected(2);
    await keyboard.press('n');
    const made = await decided(app, 7);
    expect(made.filter(({ label }) => label === 'no')).toHaveLength(2);
    await app.quit();
  });

  it('judges any photo at once, and keeps nothing of it', async () => {
    const { page, quit } = await apps.open();
    await ended(page);
    await page.keyboard.press('Control+1');
    await page.getByRole('button', { name: /^Spot-check/ }).click();
    await page.getByText('Any photo', { exact: true }).click();
    await page.setInputFiles('input[type=file]', resolve(import.meta.dirname, '../../resources/samples/cat.jpg'));
    const statement = page.getByRole('complementary').getByRole('textbox');
    const answers = (chip: string) =>
      page.locator('[aria-busy=false]').getByTestId('chip').filter({ hasText: chip }).waitFor();
    await statement.fill('a cat');
    await answers('YES');
    await statement.fill('a bicycle');
    await answers('NO');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('complementary').getByTestId('chip').waitFor({ state: 'detached' });
    const statements = await page.evaluate(() => window.vouch.statements.sets({}));
    expect(statements.ok && statements.value.map(({ name }) => name)).toEqual(['samples']);
    await quit();
  });
});

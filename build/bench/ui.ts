/** The window as a hand feels it: from a key to the next photo painted, and the frames of a long scroll. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openCore } from '../../main/app/core.ts';
import { previewSizes, previewUrl } from '../../main/contract/preview.ts';
import { locateHome } from '../../main/home.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';
import type { Store } from '../../main/store/types.ts';
import { type Launched, type Launcher, openLauncher, projectRoot } from '../scripts/electron-launch.ts';
import { NeedsError } from '../scripts/electron-needs.ts';
import type { Bench, BenchResult } from './bench.ts';
import { makePhotos } from './photos.ts';
import { fillStore } from './store-data.ts';

const viewport = { width: 1440, height: 900 };
const photos = 200;
/** Different ones among them. */
const pictures = 20;
const keyEveryMs = 400;
const witnessKeys = 30;
/** Does nothing in the app. */
const idleKey = 'F9';
const largeLibrary = 100_000;
/** Photos of each list in reach of the scroll, which have previews. */
const inReach = 3000;
const scrollMs = 15_000;
const slowFrameMs = 50;
const workLimitMs = 180_000;

type Say = (line: string) => void;

/** Waits until the engine is ready and no run is under way; a library that was filled by hand never had one. */
const rest = async ({ page }: Launched): Promise<void> => {
  for (const limit = performance.now() + workLimitMs; performance.now() < limit; ) {
    const resting = await page.evaluate(async () => {
      const [run, engine] = await Promise.all([window.vouch.runs.current(), window.vouch.engine.state()]);
      return run.ok && engine.ok && engine.value.status === 'ready' && run.value?.endedAt !== null;
    });
    if (resting) return;
    await page.waitForTimeout(250);
  }
  throw new Error(`the app did not come to rest in ${workLimitMs / 1000} s`);
};

const inApp = async <T>(launcher: Launcher, home: string, use: (app: Launched) => Promise<T>): Promise<T> => {
  const launched = await launcher.launch(home);
  try {
    await launched.app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]!.setContentSize(size.width, size.height),
      viewport,
    );
    await rest(launched);
    return await use(launched);
  } finally {
    await launched.quit();
  }
};

/** As many big photos as wanted: a few pictures, each under many names with a comment of its own, so no two files are alike. */
const writePhotos = async (): Promise<Readonly<{ dir: string; remove: () => void }>> => {
  const source = await makePhotos(pictures, 4000, 3000);
  const images = source.paths.map((path) => readFileSync(path));
  source.remove();
  const dir = mkdtempSync(join(tmpdir(), 'vouch-bench-photos-'));
  for (let i = 0; i < photos; i++) {
    const image = images[i % pictures]!;
    const comment = Buffer.from(`photo ${i}`);
    const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    writeFileSync(
      join(dir, `${i}-${i % pictures}.jpg`),
      Buffer.concat([image.subarray(0, 2), head, comment, image.subarray(2)]),
    );
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

/** Makes the previews of each picture once and gives them to all photos that show it. */
const makePreviews = async (page: Page, home: string): Promise<number> => {
  const items = await page.evaluate(async () => {
    const answer = await window.vouch.review.page({ queue: 'review', limit: 500 });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.items.map(({ photoId, path }) => ({ photoId, picture: /-(\d+)\.jpg$/.exec(path)?.[1] ?? '' }));
  });
  const fileOf = (photoId: string, size: number) =>
    join(locateHome(home).previews, photoId.slice(-2), `${photoId}-${size}.webp`);
  for (const [, [first, ...others]] of Map.groupBy(items, ({ picture }) => picture)) {
    for (const size of previewSizes) {
      await page.evaluate(
        (url) =>
          fetch(url)
            .then((answer) => answer.arrayBuffer())
            .then(() => undefined),
        previewUrl(first!.photoId, size),
      );
      for (const { photoId } of others) {
        mkdirSync(dirname(fileOf(photoId, size)), { recursive: true });
        copyFileSync(fileOf(first!.photoId, size), fileOf(photoId, size));
      }
    }
  }
  return items.length;
};

/** A queue of big photos on a statement that the pack cannot decide. */
const fillQueue = async (launched: Launched, dir: string): Promise<void> => {
  const { page } = launched;
  await page.evaluate(async () => {
    const saved = await window.vouch.statements.save({
      id: null,
      name: 'bench',
      statements: [{ text: 'a zorblax' }],
    });
    if (!saved.ok) throw new Error(saved.error.code);
    await window.vouch.statements.archive({ kind: 'set', id: 'samples', archived: true });
  });
  await rest(launched);
  await page.evaluate(async (path) => {
    const { library } = window.vouch;
    const folders = await library.folders();
    for (const { id } of folders.ok ? folders.value : []) await library.remove({ folderId: id });
    const added = await library.add({ paths: [path] });
    if (!added.ok) throw new Error(added.error.code);
    await library.scan({ folderIds: added.value.map(({ id }) => id) });
  }, dir);
  await page.waitForTimeout(1000);
  await rest(launched);
};

type Watched = Window & { keyTimes: { raf: number[]; presented: Map<number, number>; pressed: number[] } };

/**
 * In the page: for each key down, when what it changes was drawn and handed over: the next photo, decoded, in the
 * place of the one before; or, while the witness is there, its other colour.
 */
const watchKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const times: Watched['keyTimes'] = { raf: [], presented: new Map(), pressed: [] };
    (window as unknown as Watched).keyTimes = times;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name === 'keydown') times.presented.set(Math.round(entry.startTime), entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    const shown = (): string | null => {
      const witness = document.querySelector<HTMLElement>('#witness');
      if (witness) return witness.style.background;
      const image = document.querySelector<HTMLImageElement>('[data-testid=picture] img:last-of-type');
      return image?.complete && image.naturalWidth > 0 ? image.src : null;
    };
    window.addEventListener(
      'keydown',
      (event) => {
        const before = shown();
        const wait = () => {
          const now = shown();
          if (now === null || now === before) return requestAnimationFrame(wait);
          // Past the frame that draws it.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            times.raf.push(performance.now() - event.timeStamp);
            times.pressed.push(Math.round(event.timeStamp));
          };
          port2.postMessage(null);
        };
        requestAnimationFrame(wait);
      },
      { capture: true },
    );
  });

const pressEach = async (page: Page, keys: readonly string[]): Promise<readonly number[]> => {
  const startedAt = performance.now();
  for (const [i, key] of keys.entries()) {
    await page.keyboard.press(key);
    await page.waitForTimeout(Math.max(0, startedAt + (i + 1) * keyEveryMs - performance.now()));
  }
  await page.waitForTimeout(500);
  // The later of the two witnesses: the frame as the page saw it, and the browser's own time of its presentation.
  return page.evaluate(() => {
    const { raf, presented, pressed } = (window as unknown as Watched).keyTimes;
    const all = raf.map((time, i) => Math.max(time, presented.get(pressed[i]!) ?? 0));
    raf.length = 0;
    pressed.length = 0;
    return all;
  });
};

/** What the display itself takes: a plain area, as large as the photo's, that a key gives another colour. */
const layWitness = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { left, top, width, height } = document.querySelector('[data-testid=canvas]')!.getBoundingClientRect();
    const witness = document.createElement('div');
    witness.id = 'witness';
    witness.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px`;
    witness.style.background = 'black';
    document.body.append(witness);
    const turn = () => {
      witness.style.background = witness.style.background === 'black' ? 'white' : 'black';
    };
    window.addEventListener('keydown', turn, { capture: true });
  });

type KeyTimes = Readonly<{ keys: readonly number[]; witness: readonly number[] }>;

const keyTimes = async (launched: Launched, queued: number, say: Say): Promise<KeyTimes> => {
  const { page } = launched;
  await page.keyboard.press('Control+1');
  await page.getByTestId('picture').locator('img').first().waitFor();
  await page.waitForTimeout(1500);
  await watchKeys(page);
  say(`pressing ${queued - 1} keys, one each ${keyEveryMs} ms`);
  const keys = await pressEach(
    page,
    Array.from({ length: queued - 1 }, (_, i) => 'ynm'[i % 3]!),
  );
  await layWitness(page);
  return { keys, witness: await pressEach(page, Array<string>(witnessKeys).fill(idleKey)) };
};

const pageSize = 500;
type PageOfIds = Readonly<{ ids: readonly string[]; next: string | null }>;

/** Ids of the first photos of a list, as many as are in reach of a scroll. */
const firstOf = async (page: (cursor: string | null) => Promise<PageOfIds>): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let cursor: string | null = null; found.length < inReach; ) {
    const { ids, next }: PageOfIds = await page(cursor);
    found.push(...ids);
    cursor = next;
    if (cursor === null) break;
  }
  return found;
};

/** The photos that the results and the review show first, as the app asks for them. */
const photosInReach = async ({ results, queues }: Store): Promise<ReadonlySet<string>> => {
  const idsOf = (items: readonly Readonly<{ photoId: string }>[]) => items.map(({ photoId }) => photoId);
  const shown = await firstOf(async (cursor) => {
    const sort = { by: 'judgedAt', direction: 'descending' } as const;
    const { items, next } = await results.page({ filter: {}, sort, cursor, limit: pageSize });
    return { ids: idsOf(items), next };
  });
  const waiting = await firstOf(async (cursor) => {
    const asked = { queue: 'review', scope: {}, order: 'uncertain' } as const;
    const { items, next } = await queues.page({ ...asked, cursor, limit: pageSize });
    return { ids: idsOf(items), next };
  });
  return new Set([...shown, ...waiting]);
};

/**
 * Hands photos a preview, as if they had been looked at before. Their files do not exist, so the app must find them when
 * it first asks.
 */
const layPreviews = async (ids: ReadonlySet<string>, home: string): Promise<void> => {
  const samples = resolve(projectRoot, 'resources', 'samples');
  const names = (await readdir(samples)).filter((name) => name.endsWith('.jpg'));
  const images = await Promise.all(
    names.map((name) => sharp(join(samples, name)).resize(256, 256, { fit: 'inside' }).webp().toBuffer()),
  );
  for (const [i, id] of [...ids].entries()) {
    const file = join(locateHome(home).previews, id.slice(-2), `${id}-256.webp`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, images[i % images.length]!);
  }
};

/** Scrolls the grid steadily and gives the time between frames, in ms. */
const scrollFrames = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async (length) => {
    const grid = document.querySelector<HTMLElement>('[data-grid]')!;
    const gaps: number[] = [];
    const until = performance.now() + length;
    let last: number = await new Promise(requestAnimationFrame);
    while (last < until) {
      grid.scrollTop += 60;
      const now: number = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return gaps;
  }, scrollMs);

const fillLibrary = async (home: string): Promise<void> => {
  const core = openCore({
    home: locateHome(home),
    entries: join(projectRoot, 'dist', 'main'),
    root: projectRoot,
    spawn: spawnNode(),
  });
  const store = await core.openStore('write');
  await fillStore(store, { photos: largeLibrary, statements: 1 });
  await layPreviews(await photosInReach(store), home);
  await store.close();
  await core.close();
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const slowShare = (frames: readonly number[]): number =>
  frames.filter((gap) => gap > slowFrameMs).length / frames.length;

const withHome = async <T>(use: (home: string) => Promise<T>): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'vouch-bench-home-'));
  // However busy the machine, no photo is given up for being late.
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ ladder: { bulkMs: 600_000 } }));
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};

export const ui: Bench = async (say): Promise<BenchResult> => {
  let launcher: Launcher;
  try {
    launcher = await openLauncher(say);
  } catch (error) {
    if (!(error instanceof NeedsError)) throw error;
    say(error.message);
    return { ratios: { slowFrames: null }, note: error.message };
  }
  try {
    say(`making ${photos} photos of 12 megapixels`);
    const source = await writePhotos();
    const { keys, witness } = await withHome((home) =>
      inApp(launcher, home, async (app) => {
        await fillQueue(app, source.dir);
        say('making previews');
        return keyTimes(app, await makePreviews(app.page, home), say);
      }),
    ).finally(source.remove);
    const both = (values: readonly number[]) =>
      `p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms`;
    say(`key to photo: ${both(keys)}; the display alone: ${both(witness)}`);
    say(`filling a library of ${largeLibrary} photos`);
    const scrolled = await withHome(async (home) => {
      await fillLibrary(home);
      return inApp(launcher, home, async ({ page }) => {
        await page.keyboard.press('Control+3');
        await page.locator('[data-grid] [role=option] img').first().waitFor();
        await page.waitForTimeout(1000);
        const results = await scrollFrames(page);
        await page.keyboard.press('Control+1');
        await page.getByTestId('canvas').waitFor();
        await page.keyboard.press('g');
        await page.locator('[data-grid] [role=option] img').first().waitFor();
        return { results, review: await scrollFrames(page) };
      });
    });
    return {
      ms: { keyToPhotoP95: percentile(keys, 0.95) },
      ratios: { slowFrames: slowShare(scrolled.results) },
      keys: { measured: keys.length, p50: percentile(keys, 0.5), p99: percentile(keys, 0.99), max: Math.max(...keys) },
      display: { measured: witness.length, p50: percentile(witness, 0.5), p95: percentile(witness, 0.95) },
      frames: {
        results: scrolled.results.length,
        p50: percentile(scrolled.results, 0.5),
        p99: percentile(scrolled.results, 0.99),
      },
      review: { frames: scrolled.review.length, slowFrames: slowShare(scrolled.review) },
      viewport,
    };
  } finally {
    launcher.display.close();
  }
};

/** The whole app: real Electron, core, pack and store, asked through the window's own API. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../build/scripts/electron-launch.ts';
import type { BenchRecord } from '../../main/contract/bench.ts';
import type { Run } from '../../main/contract/views.ts';
import { readPack } from '../../main/packs/packs.ts';
import { machineId } from '../../main/packs/precision-choice.ts';
import {
  ended,
  engineNow,
  type Opened,
  patienceMs,
  runNow,
  scanFolder,
  setUpApps,
  until,
  untilAtRest,
  untilIs,
} from './harness.ts';
import { fingerprint, writeBroken, writePhotos } from './photos.ts';

const apps = setUpApps();

/** Answers the system's folder dialog, then adds and scans what it gave, as the window's button does. */
const addByDialog = async ({ app, page }: Opened, folder: string): Promise<void> => {
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, folder);
  const picked = await page.evaluate(() => window.vouch.library.pick());
  if (!picked.ok) throw new Error(JSON.stringify(picked.error));
  for (const path of picked.value) await scanFolder(page, path);
};

const photos = 80;

/** The app with a scan under way, of which more than `judged` photos are done and most are not. */
const openScanning = async (judged: number) => {
  const app = await apps.open();
  await ended(app.page);
  const folder = apps.folder();
  await writePhotos(folder, photos);
  await addByDialog(app, folder);
  const run = await until(
    () => runNow(app.page),
    (now) => (now?.photos.judged ?? 0) > judged,
  );
  return { app, folder, run: run! };
};

describe('the first run', () => {
  it('judges the bundled samples without being told to, and shows them', async () => {
    const app = await apps.open();
    const run = await ended(app.page);
    expect(run).toMatchObject({ status: 'done', error: null, photos: { found: 12, judged: 12, quarantined: 0 } });
    expect(run.verdicts.yes + run.verdicts.no + run.verdicts.maybe).toBeGreaterThanOrEqual(12);
    await app.page.getByText('These sample photos are already judged').waitFor();
    await app.page.getByRole('option').nth(11).waitFor();
    await until(
      () => app.page.evaluate(() => [...document.images].filter((image) => image.naturalWidth > 0).length),
      (loaded) => loaded >= 12,
    );
    const state = await until(
      () => engineNow(app.page),
      ({ status, device }) => status === 'ready' && device !== null,
    );
    expect(state.device).toMatchObject({ requested: 'auto', used: 'cpu', proof: { agreesWithCpu: true } });
    await app.quit();

    const again = await apps.open({ home: app.home });
    expect(await runNow(again.page)).toBeNull();
    const page = await again.page.evaluate(() => window.vouch.results.page({ limit: 50 }));
    expect(page).toMatchObject({ ok: true, value: { total: 12 } });
    expect(app.stderr() + again.stderr()).not.toMatch(/Unhandled|MaxListeners|Assertion/);
    await again.quit();
  });
});

describe('a library of one’s own', () => {
  it('is added by the dialog, judged with live progress, filtered, and taken out again without touching a file', async () => {
    const app = await apps.open();
    await ended(app.page);
    const folder = apps.folder();
    await writePhotos(folder, 30);
    writeBroken(folder);
    const before = fingerprint(folder);

    await app.page.evaluate(() => {
      const seen: Run[] = [];
      Object.assign(window, { seen });
      window.vouch.on('progress', (run) => seen.push(run));
    });
    await addByDialog(app, folder);
    const run = await ended(app.page);
    expect(run).toMatchObject({ status: 'done', photos: { found: 32, judged: 30, quarantined: 2, ignored: 1 } });
    // The events of the samples' run may still be on their way.
    const seen = await app.page.evaluate(
      (runId) =>
        (window as unknown as { seen: Run[] }).seen.flatMap(({ id, photos }) => (id === runId ? photos.done : [])),
      run.id,
    );
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(seen.some((done) => done > 0 && done < 32)).toBe(true);

    const found = await app.page.evaluate(async (folderId) => {
      const ask = async (filter: Parameters<typeof window.vouch.results.page>[0]['filter']) => {
        const page = await window.vouch.results.page({ filter: { folderId, ...filter }, limit: 500 });
        const counts = await window.vouch.results.counts({ filter: { folderId, ...filter } });
        if (!page.ok || !counts.ok) throw new Error('not answered');
        return { page: page.value, counts: counts.value };
      };
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await window.vouch.results.page({
          filter: { folderId },
          sort: { by: 'path', direction: 'ascending' },
          cursor,
          limit: 7,
        });
        if (!page.ok) throw new Error('not answered');
        paged.push(...page.value.items.map(({ path }) => path));
        cursor = page.value.next;
      } while (cursor !== null);
      return { all: await ask({}), yes: await ask({ labels: ['yes'] }), text: await ask({ text: 'CAT' }), paged };
    }, folder);
    expect(found.all.page.total).toBe(30);
    expect(found.paged).toHaveLength(30);
    expect(found.paged).toEqual(found.paged.toSorted());
    expect(found.yes.page.items.every(({ chips }) => chips[0]?.effectiveLabel === 'yes')).toBe(true);
    expect(found.yes.counts.labels).toMatchObject({ yes: found.all.counts.labels.yes, no: 0, maybe: 0 });
    expect(found.text.page.items.every(({ path }) => path.includes('cat'))).toBe(true);
    expect(found.text.page.total).toBeGreaterThan(0);

    const broken = await app.page.evaluate((folderId) => window.vouch.library.quarantine({ folderId }), folder);
    if (!broken.ok) throw new Error('not answered');
    expect(broken.value.items.map(({ reason }) => reason.code).sort()).toEqual(['empty_file', 'undecodable']);

    const detail = await app.page.evaluate(async (photoId) => {
      const photo = await window.vouch.results.photo({ photoId });
      const preview = await fetch(`photo://preview/${photoId}/2048`);
      return { photo, status: preview.status, type: preview.headers.get('content-type') };
    }, found.text.page.items[0]!.photoId);
    expect(detail).toMatchObject({ status: 200, type: 'image/webp', photo: { ok: true } });
    if (!detail.photo.ok) throw new Error('not answered');
    expect(detail.photo.value.pairs).toHaveLength(8);
    expect(detail.photo.value.pairs[0]?.explanation?.concepts[0]).toMatchObject({ concept: 'cat' });

    const removed = await app.page.evaluate(async (folderId) => {
      const asked = await window.vouch.library.removal({ folderId });
      const done = await window.vouch.library.remove({ folderId });
      return { asked, done, left: await window.vouch.results.page({}) };
    }, folder);
    expect(removed.asked).toMatchObject({ ok: true, value: { photos: 30, verdicts: 240, reviews: 0 } });
    expect(removed.done).toEqual(removed.asked);
    expect(removed.left).toMatchObject({ ok: true, value: { total: 12 } });
    expect(fingerprint(folder)).toEqual(before);
    await app.quit();
  });

  it('refuses folders that are not there or are part of another', async () => {
    const app = await apps.open();
    const folder = apps.folder();
    const codes = await app.page.evaluate(async (path) => {
      const add = async (wanted: string) => {
        const added = await window.vouch.library.add({ paths: [wanted] });
        return added.ok ? 'ok' : added.error.code;
      };
      return [await add(`${path}/none`), await add(path), await add(path), await add(`${path}/..`)];
    }, folder);
    expect(codes).toEqual(['folder_missing', 'ok', 'ok', 'ok']);
    await app.quit();
  });
});

describe('a scan under way', () => {
  it('pauses, resumes, is cancelled, and goes on where it stopped', async () => {
    const { app, folder, run: started } = await openScanning(0);
    const runId = started.id;
    const paused = await app.page.evaluate((id) => window.vouch.library.pause({ runId: id }), runId);
    expect(paused).toMatchObject({ ok: true, value: { status: 'paused' } });
    // What was under way is finished; then nothing moves, and the rest is still to be judged.
    const still = await untilAtRest(async () => (await runNow(app.page))!.photos.judged);
    expect(still).toBeLessThan(photos);
    await app.page.evaluate((id) => window.vouch.library.resume({ runId: id }), runId);
    await until(
      () => runNow(app.page),
      (run) => run!.photos.judged > still,
    );
    await app.page.evaluate((id) => window.vouch.library.cancel({ runId: id }), runId);
    const kept = (await ended(app.page)).photos.judged;
    await scanFolder(app.page, folder);
    const second = await ended(app.page);
    expect(second).toMatchObject({ status: 'done', photos: { found: photos } });
    expect(second.photos.cached).toBeGreaterThanOrEqual(kept);
    expect(second.photos.cached + second.photos.judged).toBe(photos);
    await app.quit();
  });

  it('goes on under changed engine settings', async () => {
    const { app } = await openScanning(0);
    const live = await app.page.evaluate(() => window.vouch.engine.configure({ batch: 2 }));
    expect(live).toMatchObject({ ok: true, value: { batch: { mode: 'fixed' } } });
    await app.page.evaluate(() => window.vouch.engine.configure({ precision: 'int8' }));
    const run = await ended(app.page);
    expect(run).toMatchObject({ status: 'done', photos: { found: photos, done: photos } });
    const state = await until(
      () => engineNow(app.page),
      ({ status, precision }) => status === 'ready' && precision?.requested === 'int8',
    );
    expect(state.precision?.used).toBe('int8');
    await app.quit();
  });

  it('survives the death of its inference host, with the window alive', async () => {
    const { app } = await openScanning(0);
    const { hosts } = await engineNow(app.page);
    process.kill(hosts.inference!.pid, 'SIGKILL');
    await until(
      () => engineNow(app.page),
      (state) => (state.hosts.inference?.restarts ?? 0) > 0 && state.status === 'ready',
    );
    expect(await app.page.evaluate(() => document.visibilityState)).toBe('visible');
    const run = await ended(app.page);
    expect(run).toMatchObject({ status: 'done', photos: { found: photos, done: photos, quarantined: 0 } });
    await app.quit();
  });

  it('keeps the machine awake while it judges, if that is wanted, with hosts of the priority that is set', async () => {
    const faults = [{ host: 'inference', what: 'slow', match: 'scan', ms: 3000 }];
    const app = await apps.open({ env: { VOUCH_FAULTS: JSON.stringify(faults) } });
    const awake = () =>
      app.app.evaluate(({ powerSaveBlocker }) =>
        Array.from({ length: 100 }, (_, id) => powerSaveBlocker.isStarted(id)).some(Boolean),
      );
    const becomes = (wanted: boolean) => untilIs(awake, wanted);
    const configure = (change: Readonly<{ keepAwake?: boolean; priority?: 'below_normal' | 'low' }>) =>
      app.page.evaluate((wanted) => window.vouch.engine.configure(wanted), change);
    const runId = (await until(
      () => runNow(app.page),
      (run) => run !== null,
    ))!.id;
    await becomes(true);
    await app.page.evaluate((id) => window.vouch.library.pause({ runId: id }), runId);
    await becomes(false);
    await configure({ keepAwake: false });
    await app.page.evaluate((id) => window.vouch.library.resume({ runId: id }), runId);
    expect(await awake()).toBe(false);
    await configure({ keepAwake: true });
    await becomes(true);
    await app.page.evaluate((id) => window.vouch.library.cancel({ runId: id }), runId);
    await becomes(false);

    // With no run, so that the app does not step back behind other programs.
    const priority = async () => {
      const { status, hosts } = await engineNow(app.page);
      try {
        return status === 'ready' && hosts.inference ? getPriority(hosts.inference.pid) : null;
      } catch {
        // Replaced since it was asked for.
        return null;
      }
    };
    await configure({ priority: 'below_normal' });
    const belowNormal = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    await until(priority, (now) => now === belowNormal);
    await configure({ priority: 'low' });
    await until(priority, (now) => now === constants.priority.PRIORITY_LOW);
    await app.quit();
  });

  it('is left by quitting and goes on in the next start', async () => {
    const { app, folder } = await openScanning(4);
    await app.quit();
    const again = await apps.open({ home: app.home });
    await scanFolder(again.page, folder);
    const run = await ended(again.page);
    expect(run).toMatchObject({ status: 'done', photos: { found: photos, done: photos } });
    expect(run.photos.cached).toBeGreaterThan(4);
    await again.quit();
  });
});

describe('statements', () => {
  it('are shown as they will be sent, saved, judged without inference, archived and brought back', async () => {
    const app = await apps.open();
    await ended(app.page);
    const preview = await app.page.evaluate(() =>
      window.vouch.statements.preview({ text: 'Probably a dog is running' }),
    );
    expect(preview).toMatchObject({
      ok: true,
      value: { removed: ['Probably'], languageSupported: true, notChecked: ['running'], normalised: { tokens: 4 } },
    });
    const nothing = await app.page.evaluate(() => window.vouch.statements.preview({ text: 'maybe' }));
    expect(nothing).toMatchObject({ ok: true, value: { normalised: null } });
    const refused = await app.page.evaluate(() =>
      window.vouch.statements.save({ id: null, name: 'mine', statements: [{ text: 'probably' }] }),
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'nothing_left' } });

    const saved = await app.page.evaluate(() =>
      window.vouch.statements.save({ id: null, name: 'mine', statements: [{ text: 'a bicycle', tag: 'bicycle' }] }),
    );
    if (!saved.ok) throw new Error(JSON.stringify(saved.error));
    const [statement] = saved.value.statements;
    const run = await ended(app.page);
    expect(run.photos).toMatchObject({ found: 12, judged: 0, cached: 12 });
    const counts = await app.page.evaluate(
      (id) => window.vouch.results.counts({ filter: { statementIds: [id] } }),
      statement!.id,
    );
    if (!counts.ok) throw new Error('not answered');
    const { labels } = counts.value;
    expect([counts.value.photos, labels.yes + labels.no + labels.maybe]).toEqual([12, 12]);
    expect(labels.no).toBeGreaterThan(6);

    const taken = await app.page.evaluate(() =>
      window.vouch.statements.save({ id: null, name: 'samples', statements: [{ text: 'a tree' }] }),
    );
    expect(taken).toMatchObject({ ok: false, error: { code: 'name_taken' } });
    const renamed = await app.page.evaluate(() =>
      window.vouch.statements.save({ id: 'mine', name: 'ours', statements: [{ text: 'a bicycle', tag: 'bicycle' }] }),
    );
    expect(renamed).toMatchObject({ ok: true, value: { name: 'ours', statements: [{ id: statement!.id }] } });
    await ended(app.page);

    const archived = await app.page.evaluate(async (id) => {
      const total = async () => {
        const page = await window.vouch.results.page({ filter: { statementIds: [id] } });
        return page.ok ? page.value.total : -1;
      };
      await window.vouch.statements.archive({ kind: 'set', id: 'ours', archived: true });
      const hidden = await total();
      await window.vouch.statements.archive({ kind: 'set', id: 'ours', archived: false });
      return { hidden, shown: await total() };
    }, statement!.id);
    expect(archived).toEqual({ hidden: 0, shown: 12 });
    await app.quit();
  });
});

describe('a search by text', () => {
  it('ranks photos in the grid by what they show, under the other filters, until Escape ends it', async () => {
    const app = await apps.open();
    const { page } = app;
    await ended(page);
    const patience = { timeout: patienceMs };
    const options = page.locator('[data-grid]').getByRole('option');
    const names = () =>
      options.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt')));
    await options.nth(11).waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement), patience).toBe(true);
    await page.keyboard.type('a happy animal');
    await expect.poll(async () => (await names()).toSorted(), patience).toEqual(['cat.jpg', 'raccoon.jpg']);
    const line = page.getByRole('region', { name: 'Find photos' });
    await expect.poll(() => line.textContent(), patience).toMatch(/“animal”.*“happy”/);
    const found = await page.evaluate(async () => {
      const answered = await window.vouch.results.page({
        filter: { fits: { text: 'a happy animal', likely: true } },
        sort: { by: 'fit', direction: 'descending' },
      });
      if (!answered.ok) throw new Error(JSON.stringify(answered.error));
      return answered.value.items;
    });
    const scores = found.map(({ fit }) => fit!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0.5)).toBe(true);
    await expect.poll(names, patience).toEqual(found.map(({ path }) => path.split(/[\\/]/).at(-1)));

    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-grid')), patience)
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => options.count(), patience).toBe(12);
    await expect.poll(() => field.inputValue(), patience).toBe('');

    await field.fill('一只狗');
    await expect
      .poll(() => page.getByTestId('empty').getByRole('heading').textContent(), patience)
      .toContain('Chinese');
    await page.keyboard.press('Escape');
    await expect.poll(() => options.count(), patience).toBe(12);
    await app.quit();
  });
});

/** As if the benchmark had run here before. */
const keepMeasured = (home: string): void => {
  const { manifest, sha256 } = readPack(join(projectRoot, 'models', 'packs', 'concept-en'));
  const figures = { meanMs: 1, p50: 1, p95: 1, p99: 1, perSecond: 9, rssMb: 100, deviceMemoryMb: null, failures: 0 };
  const record: BenchRecord = {
    ...{ machine: machineId(), packId: manifest.id, packSha256: sha256, device: 'cpu', precision: 'fp32', at: 1 },
    tables: {
      batches: [1, 4].map((size) => ({ size, ...figures })),
      concurrency: [{ clients: 2, ...figures }],
      knee: 1,
      provider: 'cpu',
    },
  };
  mkdirSync(join(home, 'bench'));
  writeFileSync(join(home, 'bench', 'tables.json'), JSON.stringify([record]));
};

describe('the engine', () => {
  it('has what it judged while degraded judged again by one click, and says which device really runs', async () => {
    const home = apps.folder();
    const held = { engine: { priority: 'normal' }, ladder: { bulkMs: 600_000, pinned: 3 } };
    writeFileSync(join(home, 'settings.json'), JSON.stringify(held));
    keepMeasured(home);
    const app = await apps.open({ home });
    await ended(app.page);
    const degraded = () =>
      app.page.evaluate(async () => {
        const view = await window.vouch.review.queues({});
        return view.ok ? view.value.queues.find(({ name }) => name === 'degraded')?.count : null;
      });
    await until(degraded, (count) => (count ?? 0) > 0);
    await app.page.evaluate(() => window.vouch.settings.set({ ladder: { pinned: null } }));
    await app.page.keyboard.press('Control+5');
    await app.page.getByRole('button', { name: /^Judge \d+ degraded again$/ }).click();
    await untilIs(degraded, 0);
    await ended(app.page);

    for (const title of ['Photos a second', 'Latency a photo, ms', 'Mean batch', 'Photos waiting', 'Model memory, MB'])
      await app.page.getByRole('figure', { name: title, exact: true }).locator('canvas').waitFor();
    await app.page.getByText('Benchmark', { exact: true }).click();
    await app.page.getByText('the knee', { exact: true }).waitFor();
    await app.page.getByRole('button', { name: 'Use batch size 4' }).click();
    await app.page.getByText('in use', { exact: true }).waitFor();
    await until(
      () => engineNow(app.page),
      ({ batch }) => batch.mode === 'fixed' && batch.size === 4,
    );
    const readyOn = async (device: 'auto' | 'tensorrt') => {
      await app.page.evaluate((wanted) => window.vouch.engine.configure({ device: wanted }), device);
      return until(
        () => engineNow(app.page),
        (state) => state.status === 'ready' && state.device?.requested === device,
      );
    };
    const state = await readyOn('tensorrt');
    expect(state.device).toMatchObject({ used: 'cpu', proof: { agreesWithCpu: true } });
    // A busy machine may have stepped down elsewhere too.
    expect(state.degradation).toContainEqual(expect.objectContaining({ code: 'device_fallback', cause: 'device' }));
    expect(state.device?.fallbackReason).toContain('tensorrt');
    expect(await app.page.evaluate(() => window.vouch.results.page({}))).toMatchObject({
      ok: true,
      value: { total: 12 },
    });
    expect((await readyOn('auto')).device?.used).toBe('cpu');
    await app.quit();
  });
});

/** A run of the app over folders of several sets: one run, under one id, in the window, the store and the log. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everything } from '../../../main/app/library-service.ts';
import { newHome, openService, root } from './service.ts';

it('is the one that the store keeps and the log names', async () => {
  const { dir, home, remove } = newHome();
  const service = await openService(home);
  const { runs, store, events } = service;
  try {
    // At a first start, the samples are judged.
    await expect.poll(() => runs.active(), { timeout: 120_000 }).toBe(false);
    const model = service.settings.now().engine.model;
    for (const [name, photo] of [
      ['cats', 'cat.jpg'],
      ['lawns', 'grass.jpg'],
    ] as const) {
      const folder = join(dir, name);
      mkdirSync(folder);
      copyFileSync(join(root, 'resources', 'samples', photo), join(folder, photo));
      await store.statements.upsertSet({ name, statements: [{ text: `a ${name.slice(0, -1)}` }] }, model);
      await store.folders.upsert(folder, { set: name });
    }
    const kept = await store.runs.list(100);
    const shown = new Set<string>();
    events.on('runChanged', ({ id }) => void shown.add(id));
    await runs.through({ ...everything, folderIds: [join(dir, 'cats'), join(dir, 'lawns')] });

    const run = runs.current()!;
    expect(run).toMatchObject({ status: 'done', photos: { found: 2, done: 2 } });
    expect([...shown]).toEqual([run.id]);
    const now = await store.runs.list(100);
    expect(now.length).toBe(kept.length + 1);
    expect(now[0]).toMatchObject({
      ...{ id: run.id, kind: 'scan', state: 'done', params: { pack: model } },
      counts: { found: 2, judged: run.photos.judged, cached: run.photos.cached, quarantined: 0 },
    });
    const log = () =>
      readFileSync(join(home.logs, 'vouch.jsonl'), 'utf8')
        .split('\n')
        .flatMap((line) => (line.includes('"run_finished"') ? [JSON.parse(line).run] : []));
    await expect.poll(log).toHaveLength(2);
    expect(log().at(-1)).toBe(run.id);
  } finally {
    await service.close();
    remove();
  }
}, 240_000);

it('is kept as failed, with the error in the log, where there is nothing to judge on', async () => {
  const { home, remove } = newHome();
  const service = await openService(home);
  try {
    const { runs, store } = service;
    await expect.poll(() => runs.active(), { timeout: 120_000 }).toBe(false);
    const sets = await store.statements.list();
    await store.statements.archive(sets.flatMap(({ statements }) => statements.map(({ key }) => key)));
    await expect(runs.through(everything)).rejects.toMatchObject({ error: { code: 'no_statement' } });
    const [last] = await store.runs.list(1);
    expect(last).toMatchObject({ id: runs.current()?.id, state: 'failed' });
  } finally {
    await service.close();
    remove();
  }
}, 240_000);

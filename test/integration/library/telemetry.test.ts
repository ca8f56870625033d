/** What is told of a real scan: to the log, and of the store. */
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { eventNames, telemetryEvents } from '../../../main/contract/telemetry.ts';
import { writePhotos } from '../inference/rig.ts';
import { openLibrary } from './rig.ts';

afterEach(() => {
  delete process.env.VOUCH_FAULTS;
});

it('tells of everything that happens in a scan, and the log holds each event that has a level', async () => {
  const { core, photos, scan, told, logged, judging } = await openLibrary();
  await writePhotos(photos, 6);
  process.env.VOUCH_FAULTS = JSON.stringify([
    { host: 'inference', what: 'crash', nth: 3, once: join(photos, '..', 'crashed') },
    { host: 'image', what: 'crash', match: 'photo-2' },
  ]);
  const summary = await scan();
  expect(summary.photos).toMatchObject({ found: 6, judged: 5, quarantined: 1 });
  await expect.poll(() => told.some(({ event }) => event === 'heartbeat'), { timeout: 20_000 }).toBe(true);
  const of = (wanted: string) => told.filter(({ event }) => event === wanted);
  expect(of('run_started')).toMatchObject([{ fields: { run: summary.run.id, kind: 'scan', statements: 2 } }]);
  expect(of('engine_started')).toMatchObject([{ fields: { model: judging.pack.manifest.id, device: 'cpu' } }]);
  expect(of('host_down').map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ host: 'inference', how: 'crashed' }),
  );
  expect(of('host_restart')).toMatchObject([{ fields: { host: 'inference', restarts: 1 } }]);
  expect(of('quarantine')).toMatchObject([{ fields: { reason: 'kills_host' } }]);
  expect(of('run_finished')).toMatchObject([{ fields: { run: summary.run.id, judged: 5, evidenceHitRate: 0 } }]);

  // Closed, it has written all lines, and hears no more.
  await judging.close();
  await core.close();
  for (const event of eventNames) {
    const lines = telemetryEvents[event].level === null ? [] : of(event).map(({ fields }) => ({ event, ...fields }));
    expect(logged(event)).toMatchObject(lines);
    expect(logged(event)).toHaveLength(lines.length);
  }
  // No statement, and no path but where its event is about one.
  expect(JSON.stringify(told)).not.toContain('a dog');
  expect(JSON.stringify(told)).not.toContain(photos);
});

it('asks the store for each photo three times: what is known of the file, of its content, and to keep the verdicts', async () => {
  const { photos, scan, told, statements, addStatements } = await openLibrary();
  const asked = () =>
    told.flatMap((event) => (event.event === 'store_request' && event.fields.ok ? [event.fields.request] : []));
  const during = async (request?: Parameters<typeof scan>[0]) => {
    const before = asked().length;
    const { photos: tally } = await scan(request);
    const counts = new Map<string, number>();
    for (const name of asked().slice(before)) counts.set(name, (counts.get(name) ?? 0) + 1);
    return { tally, counts };
  };
  const ofPhotos = (counts: ReadonlyMap<string, number>) =>
    [...counts].filter(([name]) => name.startsWith('photos.')).toSorted();
  /** What a run asks besides, however many photos there are. */
  const once = async () => {
    const { counts } = await during();
    return [...counts.values()].reduce((sum, n) => sum + n, 0);
  };
  const ofRun = await once();

  // Coloured otherwise than the others, so that no two are alike.
  const count = 40;
  for (let i = 0; i < count; i += 1) {
    const pixels = Buffer.alloc(40 * 30 * 3, i);
    pixels.fill(255 - i, 0, 40 * 15 * 3);
    await sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } })
      .png()
      .toFile(join(photos, `${i}.png`));
  }
  const fresh = await during();
  expect(fresh.tally).toMatchObject({ found: count, judged: count });
  expect(ofPhotos(fresh.counts).map(([name]) => name)).toEqual([
    'photos.attach',
    'photos.listPaths',
    'photos.lookup',
    'photos.recordJudged',
  ]);
  expect(fresh.counts.get('photos.lookup')).toBe(1);
  expect(fresh.counts.get('photos.attach')).toBe(count);
  expect(fresh.counts.get('photos.recordJudged')).toBeLessThanOrEqual(count);
  const all = [...fresh.counts.values()].reduce((sum, n) => sum + n, 0);
  expect(all).toBeLessThanOrEqual(ofRun + 3 * count);

  // Known ones are looked up, by the handful; what a new statement makes of them is kept by the handful too.
  const again = await during({ statements: [...statements, ...(await addStatements({ text: 'a fox' }))] });
  expect(again.tally).toMatchObject({ cached: count, judged: 0 });
  expect(ofPhotos(again.counts).map(([name]) => name)).toEqual(['photos.listPaths', 'photos.lookup']);
});

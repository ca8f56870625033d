import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { type WatchLine, watchLineSchema } from '../../main/contract/cli.ts';
import { defaultTiming } from '../../main/library/watch/folder-watch.ts';
import { openStore } from '../../main/store/core/client.ts';
import { writeSeparablePack } from '../fixtures/packs/fixture-packs.ts';
import { startVouch, vouch } from '../integration/cli/vouch.ts';
import { openField, packId } from '../integration/field/field.ts';
import { random } from './mutate.ts';

const files = Number(process.env.VOUCH_SOAK_FILES ?? 20_000);
const kills = Number(process.env.VOUCH_SOAK_KILLS ?? 50);
const burst = 500;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Small JPEGs without end, each of its own bytes. */
const photoMaker = async (): Promise<() => Buffer> => {
  const bases = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      sharp({
        create: {
          ...{ width: 64, height: 64, channels: 3, background: '#808080' },
          noise: { type: 'gaussian', mean: 60 + 15 * i, sigma: 40 },
        },
      })
        .jpeg()
        .toBuffer(),
    ),
  );
  let made = 0;
  return () => {
    const base = bases[made % bases.length]!;
    made++;
    // A comment segment behind the first marker.
    const note = Buffer.from(`photo ${made}`);
    const length = Buffer.from([0xff, 0xfe, 0, note.length + 2]);
    return Buffer.concat([base.subarray(0, 2), length, note, base.subarray(2)]);
  };
};

/** A folder where files arrive, move, leave and are left half-written, the same each time. */
const openTraffic = async (root: string, seed: number) => {
  const chance = random(seed);
  const make = await photoMaker();
  /** On disk now; null: no photo. */
  const present = new Map<string, 'photo' | 'junk'>();
  const half: { path: string; rest: Buffer }[] = [];
  let made = 0;
  const pick = () => [...present.keys()][Math.floor(chance() * present.size)];
  const newPath = () => {
    const folder = join(root, `d${Math.floor(chance() * 40)}`, `e${Math.floor(chance() * 5)}`);
    mkdirSync(folder, { recursive: true });
    return join(folder, `${made}.jpg`);
  };
  const finish = () => {
    for (const { path, rest } of half.splice(0)) if (present.has(path)) appendFileSync(path, rest);
  };
  return {
    made: () => made,
    present,
    finish,
    step: () => {
      const path = newPath();
      made++;
      const bytes = make();
      const dice = chance();
      if (dice < 0.02) {
        writeFileSync(path, '');
        present.set(path, 'junk');
      } else if (dice < 0.08) {
        const cut = Math.floor(bytes.length * chance());
        writeFileSync(path, bytes.subarray(0, cut));
        half.push({ path, rest: bytes.subarray(cut) });
        present.set(path, 'photo');
      } else {
        writeFileSync(path, bytes);
        present.set(path, 'photo');
      }
      const other = pick();
      if (chance() < 0.12 && other && !half.some((one) => one.path === other)) {
        const kind = present.get(other)!;
        const to = join(root, `d${Math.floor(chance() * 40)}`, `moved-${made}.jpg`);
        mkdirSync(join(to, '..'), { recursive: true });
        renameSync(other, to);
        present.delete(other);
        present.set(to, kind);
      } else if (chance() < 0.1 && other) {
        unlinkSync(other);
        present.delete(other);
      }
      if (chance() < 0.02) finish();
    },
  };
};

const onDisk = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .sort();

it(`equals the disk after ${files} files that came, moved and went while they were judged`, async () => {
  const field = await openField();
  const folder = await field.folder();
  const traffic = await openTraffic(folder, 7);
  const startedAt = performance.now();
  const { watch, told } = await field.watch(folder, defaultTiming);
  while (traffic.made() < files) {
    for (let i = 0; i < burst && traffic.made() < files; i++) traffic.step();
    await pause(1000 + 20 * (traffic.made() % 13));
  }
  traffic.finish();
  const writtenAt = performance.now();
  let calm = 0;
  while (calm < 8) {
    calm = watch.busy() ? 0 : calm + 1;
    await pause(500);
  }
  const seconds = (ms: number) => Math.round(ms / 1000);
  console.log(
    `${files} files in ${seconds(writtenAt - startedAt)} s, judged ${seconds(performance.now() - writtenAt)} s later; ` +
      `${told.judged.length} told, ${told.gone.length} gone, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
  );

  const photos = [...traffic.present].filter(([, kind]) => kind === 'photo').map(([path]) => path);
  expect(onDisk(folder)).toEqual([...traffic.present.keys()].sort());
  expect(await field.alive(folder)).toEqual(photos.sort());
  const quarantined = (await field.store.quarantine.list(folder)).map(({ path }) => path);
  expect(quarantined).toEqual([...traffic.present.keys()].filter((path) => !photos.includes(path)).sort());
  expect(await field.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  const counted = await field.store.verdicts.countUnder(
    [folder],
    field.statements.map(({ key }) => key),
  );
  // No two files have the same bytes.
  expect(counted.yes + counted.no + counted.maybe).toBe(photos.length * field.statements.length);
  expect(told.failed).toEqual([]);
  expect(watch.state(folder)).toEqual({ mode: 'watching' });
});

it(`loses nothing when it is killed ${kills} times while it watches`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'vouch-watch-kill-'));
  folders.push(dir);
  const home = join(dir, 'home');
  const folder = join(dir, 'photos');
  mkdirSync(folder);
  mkdirSync(join(home, 'packs'), { recursive: true });
  writeSeparablePack(join(home, 'packs', 'fixture'));
  const traffic = await openTraffic(folder, 11);
  const given = [folder, '-s', 'a dog', '--model', packId, '--home', home, '--json'];
  /** Photos that the watch said were judged. */
  const said = new Set<string>();
  let landed = 0;
  let idle = 0;
  for (let i = 0; i < kills; i++) {
    const child = startVouch(['watch', ...given], true);
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    const closed = new Promise((done) => child.once('close', done));
    // Most are killed at work, some while they start.
    const early = Math.random() < 0.1;
    while (!early && !stdout.includes('"watching"') && child.exitCode === null) await pause(20);
    const until = performance.now() + Math.random() * 2500;
    while (performance.now() < until) {
      for (let step = 0; step < 4; step++) traffic.step();
      await pause(60);
    }
    if (child.exitCode === null) {
      process.kill(-child.pid!, 'SIGKILL');
      landed++;
    }
    await closed;
    const lines: WatchLine[] = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => watchLineSchema.parse(JSON.parse(line)));
    const judged = lines.flatMap((line) => (line.event === 'photo' ? [line.photo] : []));
    if (judged.length === 0) idle++;
    for (const id of judged) said.add(id);
  }
  expect(landed).toBe(kills);
  traffic.finish();
  await pause(100);
  const last = await vouch('scan', ...given);
  expect(last.code, last.stderr).toBe(0);

  const photos = [...traffic.present].filter(([, kind]) => kind === 'photo').map(([path]) => path);
  const opened = await openStore({
    home,
    mode: 'read',
    workerUrl: new URL('../../main/store/sql/worker.ts', import.meta.url),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const { store } = opened;
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
  const quarantined = new Set((await store.quarantine.list(folder)).map(({ path }) => path));
  const alive = (await store.photos.listPaths(folder, null, 1_000_000)).filter((path) => !quarantined.has(path));
  expect(alive).toEqual(photos.sort());
  for (const id of said) expect((await store.results.photo(id))?.pairs).toHaveLength(1);
  console.log(`${kills} kills, ${idle} of them before a photo was told; ${said.size} told, ${traffic.made()} made`);
  expect(said.size).toBeGreaterThan(kills);
  await store.close();
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePhotos, type PhotoFolder } from '../../build/bench/photos.ts';
import { openStore } from '../../main/store/core/client.ts';
import { startVouch, vouch } from '../integration/cli/vouch.ts';

const kills = 20;
const count = 240;
let photos: PhotoFolder;
let dir: string;
beforeAll(async () => {
  photos = await makePhotos(count, 300, 225);
  dir = mkdtempSync(join(tmpdir(), 'vouch-kill-'));
}, 120_000);
afterAll(() => {
  photos.remove();
  rmSync(dir, { recursive: true, force: true });
});

const expectWhole = async (home: string) => {
  const { items, total } = JSON.parse((await vouch('verdicts', '--home', home, '--limit', '5000', '--json')).stdout);
  expect(total).toBe(count);
  expect(new Set(items.map(({ path }: { path: string }) => path)).size).toBe(count);
  const opened = await openStore({
    home,
    mode: 'read',
    workerUrl: new URL('../../main/store/sql/worker.ts', import.meta.url),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  expect(await opened.store.upkeep.check()).toEqual({ ok: true, problems: [] });
  await opened.store.close();
};

it(`loses nothing when everything is killed ${kills} times in mid-scan`, async () => {
  const home = join(dir, 'all');
  const log = join(home, 'logs', 'vouch.jsonl');
  const enginesStarted = () =>
    existsSync(log) ? readFileSync(log, 'utf8').split('"event":"engine_started"').length - 1 : 0;
  let landed = 0;
  for (let i = 0; i < kills; i++) {
    const before = enginesStarted();
    const child = startVouch(['scan', photos.dir, '-s', 'an animal', '--home', home, '--json'], true);
    // Half of them while it starts, the others while it judges, however slow the machine is.
    if (i % 2 === 0) await pause(300 + i * 50);
    else {
      while (child.exitCode === null && enginesStarted() === before) await pause(20);
      await pause(100 + (i % 5) * 200);
    }
    if (child.exitCode === null) {
      process.kill(-child.pid!, 'SIGKILL');
      landed += 1;
    }
    await pause(100);
  }
  expect(landed).toBe(kills);
  const last = await vouch('scan', photos.dir, '-s', 'an animal', '--home', home, '--json');
  expect(last.code, last.stderr).toBe(0);
  const { photos: tally } = JSON.parse(last.stdout);
  expect(tally.judged + tally.cached).toBe(count);
  expect(tally.cached).toBeGreaterThan(0);
  await expectWhole(home);
});

const childrenOf = (pid: number, name: string): readonly number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((candidate) => {
      try {
        const parent = readFileSync(`/proc/${candidate}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
        return Number(parent) === pid && readFileSync(`/proc/${candidate}/cmdline`, 'utf8').includes(name);
      } catch {
        return false;
      }
    });

it.each(['image-host', 'inference-host'])(`judges every photo though the %s is killed ${kills} times`, async (host) => {
  let done = 0;
  for (let run = 0; done < kills; run++) {
    const home = join(dir, `${host}-${run}`);
    const child = startVouch(['scan', photos.dir, '-s', 'an animal', '--home', home, '--json']);
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const killing = (async () => {
      const seen = new Set<number>();
      while (child.exitCode === null && done < kills) {
        const pid = childrenOf(child.pid!, `${host}.js`).find((candidate) => !seen.has(candidate));
        if (pid !== undefined) {
          seen.add(pid);
          // From its start, not by the clock: a fixed beat falls in step with the back-off and seldom meets a batch.
          await pause(1500 + Math.random() * 2000);
          if (!childrenOf(child.pid!, `${host}.js`).includes(pid)) continue;
          process.kill(pid, 'SIGKILL');
          done += 1;
        } else await pause(20);
      }
    })();
    expect(await ended).toBe(0);
    await killing;
    const { photos: tally, quarantined } = JSON.parse(stdout);
    expect(quarantined).toEqual([]);
    expect(tally).toMatchObject({ found: count, judged: count, quarantined: 0 });
    await expectWhole(home);
  }
});

import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WatchLine, watchLineSchema } from '../../../main/contract/cli.ts';
import { root, startVouch, vouch } from './vouch.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-watch-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const sample = (name: string) => join(root, 'resources', 'samples', name);

/** A watch under way, with the lines it printed so far. */
const start = (...args: readonly string[]) => {
  const child = startVouch(['watch', ...args]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const lines = (): readonly WatchLine[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => watchLineSchema.parse(JSON.parse(line)));
  const until = async (holds: (lines: readonly WatchLine[]) => boolean) => {
    while (!holds(lines())) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { child, ended, lines, until };
};

describe('vouch watch', () => {
  it('judges photos as they come, follows them as they move, and exits 130 when interrupted', async () => {
    const folder = join(dir, 'photos');
    const home = join(dir, 'home');
    mkdirSync(folder);
    copyFileSync(sample('cat.jpg'), join(folder, 'cat.jpg'));
    const watch = start(folder, '-s', 'a cat', '--home', home, '--json');
    await watch.until((lines) => lines.some(({ event }) => event === 'done'));
    expect(watch.lines().map(({ event }) => event)).toEqual(['folder', 'folder', 'photo', 'done']);
    const [, , first] = watch.lines();
    expect(first).toMatchObject({ path: join(folder, 'cat.jpg'), verdicts: [{ statement: 'a cat', label: 'yes' }] });

    copyFileSync(sample('grass.jpg'), join(folder, 'grass.jpg'));
    writeFileSync(join(folder, 'notes.txt'), 'no photo');
    await watch.until((lines) => lines.some((line) => line.event === 'photo' && line.path.endsWith('grass.jpg')));

    renameSync(join(folder, 'cat.jpg'), join(folder, 'tom.jpg'));
    await watch.until((lines) => lines.some((line) => line.event === 'gone' && line.path.endsWith('cat.jpg')));
    await watch.until((lines) => lines.some((line) => line.event === 'photo' && line.path.endsWith('tom.jpg')));
    const moved = watch.lines().find((line) => line.event === 'photo' && line.path.endsWith('tom.jpg'));
    expect(moved).toMatchObject({ photo: first?.event === 'photo' && first.photo });

    unlinkSync(join(folder, 'grass.jpg'));
    await watch.until((lines) => lines.some((line) => line.event === 'gone' && line.path.endsWith('grass.jpg')));

    const held = await vouch('scan', folder, '-s', 'a dog', '--home', home);
    expect(held).toMatchObject({ code: 5 });
    const { stdout } = await vouch('verdicts', '--home', home, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, items: [{ path: join(folder, 'tom.jpg'), label: 'yes' }] });

    watch.child.kill('SIGINT');
    expect(await watch.ended).toBe(130);
    expect(watch.lines().filter(({ event }) => event === 'failed' || event === 'quarantined')).toEqual([]);
  });

  it('refuses what it cannot watch, and says why', async () => {
    const missing = await vouch('watch', join(dir, 'nowhere'), '-s', 'a cat', '--home', join(dir, 'other'));
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('There is no folder');
    const nothing = await vouch('watch', dir, '--home', join(dir, 'other'));
    expect(nothing.code).toBe(2);
    const help = await vouch('watch', '--help');
    expect(help.stdout).toContain('--json');
    expect(help.stdout).toContain('130');
  });
});

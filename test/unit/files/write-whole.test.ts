import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReplacement, replaceBy, writeWhole } from '../../../main/files/write-whole.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-whole-'));
  path = join(dir, 'kept.json');
  writeFileSync(path, 'old');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const text = () => readFileSync(path, 'utf8');

describe('a file that is written whole', () => {
  it('takes the place of the old one and leaves nothing beside it', () => {
    writeWhole(path, 'new');
    expect(text()).toBe('new');
    expect(readdirSync(dir)).toEqual(['kept.json']);
  });

  it('is the old one for whoever reads it before it is finished', () => {
    const replacement = openReplacement(path);
    replacement.write('ne');
    expect(text()).toBe('old');
    replacement.write('w');
    replacement.finish();
    expect(text()).toBe('new');
  });

  it('stays the old one when it is abandoned, with nothing left beside it', () => {
    const replacement = openReplacement(path);
    replacement.write('half');
    replacement.abandon();
    expect(text()).toBe('old');
    expect(readdirSync(dir)).toEqual(['kept.json']);
  });

  it('may be written twice at once: each is whole, and the last to finish stands', () => {
    const [first, second] = [openReplacement(path), openReplacement(path)];
    first.write('first');
    second.write('second');
    second.finish();
    first.finish();
    expect(text()).toBe('first');
    expect(readdirSync(dir)).toEqual(['kept.json']);
  });

  it.skipIf(process.platform === 'win32')('is for its owner only from the first byte, where that is asked for', () => {
    const replacement = openReplacement(path, 0o600);
    const modes = () => readdirSync(dir).map((name) => [name === 'kept.json', statSync(join(dir, name)).mode & 0o777]);
    expect(modes()).toContainEqual([false, 0o600]);
    replacement.finish();
    expect(modes()).toEqual([[true, 0o600]]);
  });

  it('leaves nothing behind where it cannot take its place', () => {
    const folder = join(dir, 'folder');
    mkdirSync(join(folder, 'full'), { recursive: true });
    expect(() => writeWhole(folder, 'new')).toThrow();
    expect(readdirSync(dir).toSorted()).toEqual(['folder', 'kept.json']);
  });
});

describe('a file that another writes', () => {
  it('takes its place once it is written, hidden until then', async () => {
    await replaceBy(path, async (temporary) => {
      await writeFile(temporary, 'new');
      expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['kept.json']);
      expect(text()).toBe('old');
    });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(readdirSync(dir)).toEqual(['kept.json']);
  });

  it('is not there at all when the writer fails', async () => {
    const failing = replaceBy(path, async (temporary) => {
      await writeFile(temporary, 'half');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(text()).toBe('old');
    expect(readdirSync(dir)).toEqual(['kept.json']);
  });
});

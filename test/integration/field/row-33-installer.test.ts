import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..', '..');
const nsisLimit = 2 * 1024 ** 3;

const packaging = z
  .object({
    files: z.array(z.string()),
    publish: z.null(),
    win: z.object({ verifyUpdateCodeSignature: z.literal(true) }),
  })
  .parse(parse(readFileSync(join(root, 'build', 'electron-builder.yml'), 'utf8')));

const lock = z
  .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

const bytesOf = (path: string): number => {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
};

/** Packages inside others are counted with those. */
const shipped = Object.entries(lock.packages)
  .filter(([place, { dev }]) => place !== '' && !dev && !place.slice(1).includes('/node_modules/'))
  .map(([place]) => place);

it('row 33: the installer carries the embedded pack alone and stays far below what NSIS can hold', () => {
  const packs = packaging.files.filter((pattern) => pattern.startsWith('models/'));
  expect(packs).toEqual(['models/packs/concept-en/**']);
  const named = packaging.files.filter((pattern) => !pattern.startsWith('!')).map((name) => name.replace('/**', ''));
  const bytes = [...named, ...shipped].reduce((sum, name) => sum + bytesOf(join(root, name)), 0);
  expect(bytes).toBeGreaterThan(50 * 1024 ** 2);
  expect(bytes).toBeLessThan(nsisLimit / 2);
});

it('row 33: nothing updates itself, and an update of another signature would be refused', () => {
  expect(Object.keys(lock.packages).filter((place) => place.includes('electron-updater'))).toEqual([]);
  expect(packaging.publish).toBeNull();
  expect(packaging.win.verifyUpdateCodeSignature).toBe(true);
});

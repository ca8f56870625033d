/** Finds model packs on disk, reads their manifests and checks their files against the pinned hashes. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, packManifestSchema } from '../contract/pack.ts';

class PackError extends Error {
  override readonly name = 'PackError';
}

/** @throws PackError when the folder holds no manifest or one that does not fit. */
export const readPack = (dir: string): Pack => {
  const file = join(dir, 'vouch.json');
  if (!existsSync(file)) throw new PackError(`${dir} is no model pack: it has no vouch.json`);
  const bytes = readFileSync(file);
  const parsed = packManifestSchema.safeParse(parseJson(bytes, file));
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    const where = first?.path.join('.');
    throw new PackError(`${file}: ${where ? `${where}: ` : ''}${first?.message}`);
  }
  return { dir, manifest: parsed.data, sha256: createHash('sha256').update(bytes).digest('hex') };
};

const parseJson = (bytes: Buffer, file: string): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new PackError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
};

export type FoundPacks = Readonly<{
  packs: readonly Pack[];
  /** Why a pack cannot be used, by the name of its folder. */
  broken: ReadonlyMap<string, string>;
}>;

/** Packs in the given folders, the first of each id; folders that hold no manifest are passed over. */
export const findPacks = (folders: readonly string[]): FoundPacks => {
  const found = new Map<string, Pack>();
  const broken = new Map<string, string>();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory() || !existsSync(join(folder, entry.name, 'vouch.json'))) continue;
      try {
        const pack = readPack(join(folder, entry.name));
        if (!found.has(pack.manifest.id)) found.set(pack.manifest.id, pack);
      } catch (error) {
        if (!(error instanceof PackError)) throw error;
        broken.set(entry.name, error.message);
      }
    }
  }
  return { packs: [...found.values()], broken };
};

export type PackProblem = Readonly<{ file: string; problem: 'missing' | 'changed' }>;

/** Hashes every file that the manifest names; an empty list means that the pack is what it says. */
export const verifyPack = async (pack: Pack): Promise<readonly PackProblem[]> => {
  const problems: PackProblem[] = [];
  for (const [file, expected] of Object.entries(pack.manifest.sha256)) {
    const path = join(pack.dir, file);
    if (!existsSync(path)) problems.push({ file, problem: 'missing' });
    else if ((await hashFile(path)) !== expected) problems.push({ file, problem: 'changed' });
  }
  return problems;
};

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Lists a folder tree's images: by known extension, else by magic bytes. */
import { realpathSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { fdir } from 'fdir';
import { fileTypeFromFile } from 'file-type';
import { imageExtensions, isGarbled, isPicture, stampOf } from '../images/kinds.ts';
import type { FileStat } from '../store/types.ts';
import type { Root } from './folders.ts';
import { isLeftover } from './leftovers.ts';
import type { Rules } from './rules.ts';

export type Walked = Readonly<{ files: readonly FileStat[]; ignored: number; folders: number }>;

const isNamedAsImage = (path: string): boolean => imageExtensions.has(extname(path).slice(1).toLowerCase());

/** Of a file whose name cannot be told from its bytes: it is found, so that nobody misses it, and quarantined. */
const unreachable = { bytes: 0, mtimeMs: 0, inode: '0' };

export const isImageFile = async (path: string): Promise<boolean> => {
  if (isNamedAsImage(path)) return true;
  try {
    const type = await fileTypeFromFile(path);
    return type !== undefined && isPicture(type);
  } catch {
    return false;
  }
};

/** Whether a file counts as one of the person's photos. */
export const isPhotoFile = async (path: string): Promise<boolean> => !isLeftover(path) && (await isImageFile(path));

/** A file as it is now; null for what is gone or no file. A link counts as what it leads to, where links are followed. */
export const statFile = async (path: string, followLinks: boolean): Promise<FileStat | null> => {
  const found = await (followLinks ? stat : lstat)(path, { bigint: true }).catch(() => null);
  return found?.isFile() ? { path, bytes: Number(found.size), ...stampOf(found) } : null;
};

/** Files come sorted by path, so that two runs see them in the same order. */
export const walk = async (root: string, rules: Rules): Promise<Walked> => {
  const { paths, folders } = await listPaths(root, rules);
  paths.sort();
  const files: FileStat[] = [];
  let ignored = 0;
  for (const path of paths) {
    const file = await statFile(path, rules.followLinks);
    if (file && (await isPhotoFile(path))) files.push(file);
    else if (!file && isGarbled(path) && isNamedAsImage(path)) files.push({ path, ...unreachable });
    else if (file || !(await isLink(path))) ignored++;
  }
  return { files, ignored, folders };
};

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;

const listPaths = async (root: string, rules: Rules): Promise<{ paths: string[]; folders: number }> => {
  /** Folders looked into, by where they really are: a link that leads back ends there. */
  const visited = new Set<string>();
  let folders = 1;
  const crawl = (from: string): Promise<string[]> =>
    new fdir()
      .withFullPaths()
      .exclude((_, slashed) => {
        const folder = slashed.slice(0, -1);
        if (!rules.enters(folder)) return true;
        folders++;
        return rules.followLinks && isVisited(visited, folder);
      })
      .filter((path) => rules.takes(path) || (rules.followLinks && rules.enters(path)))
      .crawl(from)
      .withPromise();

  if (!rules.followLinks) return { paths: await crawl(root), folders };
  isVisited(visited, root);
  const paths: string[] = [];
  // What lies in the tree itself is listed before what links lead to, so that a photo keeps its own path.
  for (let found = await crawl(root); found.length > 0; ) {
    const links: string[] = [];
    for (const path of found) {
      if (await isLink(path)) links.push(path);
      else if (rules.takes(path)) paths.push(path);
    }
    found = [];
    for (const link of links.sort()) {
      const target = await stat(link).catch(() => null);
      if (target?.isDirectory() && !visited.has(await realpath(link))) {
        isVisited(visited, link);
        found.push(...(await crawl(link)));
      } else if (target?.isFile() && rules.takes(link)) paths.push(link);
    }
  }
  return { paths, folders };
};

/** Notes a folder as visited; true when it was already. */
const isVisited = (visited: Set<string>, folder: string): boolean => {
  const real = realpathSync(folder);
  if (visited.has(real)) return true;
  visited.add(real);
  return false;
};

/** The files of several trees, each once even where the trees overlap. */
export const walkAll = async (roots: readonly Root[]): Promise<Omit<Walked, 'folders'>> => {
  const files = new Map<string, FileStat>();
  let ignored = 0;
  for (const root of roots) {
    const walked = await walk(root.path, root.rules);
    for (const file of walked.files) files.set(file.path, file);
    ignored += walked.ignored;
  }
  return { files: [...files.values()], ignored };
};

/** Lists a folder tree's images: by known extension, else by magic bytes. Links are not followed, hidden names are skipped. */
import { lstat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fdir } from 'fdir';
import { fileTypeFromFile } from 'file-type';
import { stampOf } from '../images/read-file.ts';
import type { FileStat } from '../store/types.ts';

/** Extensions that people expect to be photos, whether or not Vouch can decode them. */
const imageExtensions = new Set(
  (
    'jpg jpeg jpe jfif png apng webp gif tif tiff avif heic heif bmp dib svg jp2 jxl ico psd ' +
    'arw cr2 cr3 dng nef nrw orf pef raf rw2 srw raw'
  ).split(' '),
);

export type Walked = Readonly<{ files: readonly FileStat[]; ignored: number }>;

const isHidden = (path: string): boolean => basename(path).startsWith('.');
const systemFolders = new Set(['$RECYCLE.BIN', 'System Volume Information', 'lost+found', '@eaDir']);

export const isImageFile = async (path: string): Promise<boolean> => {
  if (imageExtensions.has(extname(path).slice(1).toLowerCase())) return true;
  try {
    return (await fileTypeFromFile(path))?.mime.startsWith('image/') ?? false;
  } catch {
    return false;
  }
};

/** Files come sorted by path, so that two runs see them in the same order. */
export const walk = async (root: string): Promise<Walked> => {
  const paths = await new fdir()
    .withFullPaths()
    .exclude((name) => name.startsWith('.') || systemFolders.has(name))
    .filter((path) => !isHidden(path))
    .crawl(root)
    .withPromise();
  paths.sort();
  const files: FileStat[] = [];
  let ignored = 0;
  for (const path of paths) {
    const stat = await lstat(path, { bigint: true }).catch(() => undefined);
    if (stat && !stat.isFile()) continue;
    if (!stat || !(await isImageFile(path))) {
      ignored++;
      continue;
    }
    files.push({ path, bytes: Number(stat.size), ...stampOf(stat) });
  }
  return { files, ignored };
};

/** The files of several trees, each once even where the trees overlap. */
export const walkAll = async (roots: readonly string[]): Promise<Walked> => {
  const files = new Map<string, FileStat>();
  let ignored = 0;
  for (const root of roots) {
    const walked = await walk(root);
    for (const file of walked.files) files.set(file.path, file);
    ignored += walked.ignored;
  }
  return { files: [...files.values()], ignored };
};

/** Which files of a folder tree count: no hidden or system names, and what the folder's globs say. */
import { basename, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import type { FolderSettings } from '../contract/folder.ts';

export type Rules = Readonly<{
  followLinks: boolean;
  /** The same for rules that say the same. */
  key: string;
  /** Whether a folder below the root is looked into. */
  enters: (folder: string) => boolean;
  /** Whether a file below the root may be a photo of the folder. */
  takes: (file: string) => boolean;
}>;

/** What operating systems, network storage and photo tools leave among photos. */
const systemNames = new Set(
  [
    '$RECYCLE.BIN',
    'System Volume Information',
    'RECYCLER',
    'lost+found',
    '@eaDir',
    '@Recycle',
    '#recycle',
    '#snapshot',
    '__MACOSX',
    'Thumbs.db',
    'ehthumbs.db',
    'desktop.ini',
  ].map((name) => name.toLowerCase()),
);

/** A leading dot also hides .git, .thumbnails, .DS_Store and the ._ files of macOS. */
const isSystemName = (name: string): boolean => name.startsWith('.') || systemNames.has(name.toLowerCase());

/** Names differ by case only where the file system says so. */
const nocase = process.platform === 'win32' || process.platform === 'darwin';

type Matches = (path: string) => boolean;

/** A glob holds what it names and all below that; one without a slash holds at any depth. */
const matcher = (globs: readonly string[]): Matches => {
  const patterns = globs.flatMap((glob) => {
    const anchored = glob.replace(/^\/+|\/+$/g, '');
    const from = glob.startsWith('/') || anchored.includes('/') ? anchored : `**/${anchored}`;
    return [from, `${from}/**`];
  });
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true, nocase });
};

export const rulesOf = (root: string, { include, exclude, followLinks }: FolderSettings): Rules => {
  const isExcluded = matcher(exclude);
  const isIncluded: Matches = include.length === 0 ? () => true : matcher(include);
  const below = (path: string): string => relative(root, path).split(sep).join('/');
  return {
    followLinks,
    key: JSON.stringify([include, exclude, followLinks]),
    enters: (folder) => folder === root || !(isSystemName(basename(folder)) || isExcluded(below(folder))),
    takes: (file) => {
      const path = below(file);
      return !path.split('/').some(isSystemName) && !isExcluded(path) && isIncluded(path);
    },
  };
};

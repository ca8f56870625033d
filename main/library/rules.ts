/** Which files of a folder tree count: no hidden or system names, and what the folder's globs say. */
import { basename, relative, sep } from 'node:path';
import type { FolderSettings } from '../contract/folder.ts';
import { linesMatcher, type Matches } from '../files/globs.ts';

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

/** A catalogue's own copies, in its folder: previews of Lightroom, Capture One's cache. */
const previewFolders = /\.(?:lrdata|lrcat-data|cocatalogdb|cosessiondb)$|^captureone$/i;
/** Libraries that one program keeps as a package: of what is in them, only the originals are the person's photos. */
const packages = /\.(?:photoslibrary|photolibrary|aplibrary|migratedphotolibrary|lrlibrary)$/i;
const originals = /^(?:originals|masters)$/i;

type Inside = 'photos' | 'between' | 'copies';
/** Where a folder lies, of those from the root down: among photos, on the way to a package's originals, or among copies. */
const insideOf = (folders: readonly string[]): Inside => {
  if (folders.some((name) => previewFolders.test(name))) return 'copies';
  const at = folders.findIndex((name) => packages.test(name));
  if (at < 0 || folders.slice(at + 1).some((name) => originals.test(name))) return 'photos';
  // Lightroom's own libraries keep the originals of each account in a folder of its.
  const deepest = /\.lrlibrary$/i.test(folders[at]!) ? 2 : 1;
  return folders.length - at <= deepest ? 'between' : 'copies';
};

export const rulesOf = (root: string, { include, exclude, followLinks }: FolderSettings): Rules => {
  const isExcluded = linesMatcher(exclude);
  const isIncluded: Matches = include.length === 0 ? () => true : linesMatcher(include);
  const rootName = basename(root);
  const below = (path: string): string => relative(root, path).split(sep).join('/');
  return {
    followLinks,
    key: JSON.stringify([include, exclude, followLinks]),
    enters: (folder) =>
      folder === root ||
      !(
        isSystemName(basename(folder)) ||
        isExcluded(below(folder)) ||
        insideOf([rootName, ...below(folder).split('/')]) === 'copies'
      ),
    takes: (file) => {
      const path = below(file);
      const names = path.split('/');
      return (
        !names.some(isSystemName) &&
        insideOf([rootName, ...names.slice(0, -1)]) === 'photos' &&
        !isExcluded(path) &&
        isIncluded(path)
      );
    },
  };
};

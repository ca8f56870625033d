/** One photo's sidecar: where it is, what stands in it, and changing its keywords without touching anything else. */
import { access, readFile, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { replaceBy } from '../../files/write-whole.ts';
import type { SidecarEditor, SidecarKeywords } from './exiftool.ts';
import { ownKeywords, sidecarText } from './sidecar-text.ts';

export type Sidecar = Readonly<{
  path: string;
  /** `own`: nothing in it but what Vouch writes; `foreign`: another program's too. */
  kind: 'missing' | 'own' | 'foreign';
  keywords: SidecarKeywords;
}>;

const nothing: SidecarKeywords = { subject: [], hierarchical: [] };

const isThere = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** `IMG.jpg.xmp` (darktable, digiKam), else an `IMG.xmp` that is there (Lightroom), else a new `IMG.jpg.xmp`. */
export const sidecarPathOf = async (photo: string): Promise<string> => {
  const stem = join(dirname(photo), basename(photo, extname(photo)));
  for (const path of [`${photo}.xmp`, `${photo}.XMP`, `${stem}.xmp`, `${stem}.XMP`])
    if (await isThere(path)) return path;
  return `${photo}.xmp`;
};

const readText = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Rejects with what is wrong where a foreign sidecar cannot be read. */
export const readSidecar = async (path: string, editor: SidecarEditor): Promise<Sidecar> => {
  const text = await readText(path);
  if (text === null) return { path, kind: 'missing', keywords: nothing };
  const own = ownKeywords(text);
  if (own) return { path, kind: 'own', keywords: { subject: own, hierarchical: own } };
  return { path, kind: 'foreign', keywords: await editor.read(path) };
};

/** Adds and removes keywords; a file of ours alone goes with its last one. Returns whether anything had to change. */
export const changeSidecar = async (
  { path, kind, keywords }: Sidecar,
  add: readonly string[],
  remove: readonly string[],
  editor: SidecarEditor,
): Promise<boolean> => {
  const editsTo = (there: readonly string[]) => ({
    add: add.filter((keyword) => !there.includes(keyword)),
    remove: remove.filter((keyword) => there.includes(keyword)),
  });
  const subject = editsTo(keywords.subject);
  const hierarchical = editsTo(keywords.hierarchical);
  const changes = [subject, hierarchical].some((edits) => edits.add.length + edits.remove.length > 0);
  if (!changes) return false;
  if (kind === 'foreign') {
    await editor.edit(path, subject, hierarchical);
    return true;
  }
  const left = [...keywords.subject.filter((keyword) => !remove.includes(keyword)), ...subject.add];
  if (left.length > 0) await replaceBy(path, (file) => writeFile(file, sidecarText(left), { flag: 'wx', flush: true }));
  else await unlink(path);
  return true;
};

/**
 * Files that other programs leave beside photos and that are none of the person's: backups, and copies that are not
 * finished yet. Told by the name, whatever the bytes are.
 */
import { basename } from 'node:path';

/** Last extensions, of: backups, downloads under way, synchronisation, and editors. */
const endings = new Set(
  (
    'bak bak1 bak2 backup old orig original save sav tmp temp part partial crdownload download opdownload aria2 ' +
    'filepart fdmdownload dlpart !ut !qb !bt az! bc! td jc! swp swo unison rsync gstmp partial-download uploading ' +
    'downloading incomplete xmp~'
  ).split(' '),
);
/** "IMG_1.jpg_original" (ExifTool), "IMG_1.jpg~" (editors), "#IMG_1.jpg#" (Emacs), "IMG_1.jpg.~1~" (cp --backup). */
const marked = /(?:_original|_exiftool_tmp|~|#)$/i;
/** Syncthing, OneDrive and Office put their own in front of the name. */
const opened = /^(?:~syncthing~|~\$|~wrl|_syncthing_)/i;

export const isLeftover = (path: string): boolean => {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return marked.test(name) || opened.test(name) || (dot > 0 && endings.has(name.slice(dot + 1).toLowerCase()));
};

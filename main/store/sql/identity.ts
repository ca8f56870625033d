/**
 * Which photo a file is. Photos are known by content: a file whose bytes change at the same path while the encoded
 * image does not is the same photo; two files alive at once are one photo only if all their bytes are equal.
 */

import { hashBytes } from '../codes.ts';
import type { FileStat, IdentifiedFile, PhotoKey } from '../types.ts';
import type { Db } from './connection.ts';

type PathRow = {
  id: number;
  photo_id: number;
  path: string;
  bytes: number;
  mtime_ms: number;
  inode: string;
  alive: number;
};

/** NFC form for comparing, null where it is the path itself. */
const pathKey = (path: string): string | null => {
  const key = path.normalize('NFC');
  return key === path ? null : key;
};

export const sameFile = (row: Readonly<{ bytes: number; mtime_ms: number; inode: string }>, file: FileStat): boolean =>
  row.bytes === file.bytes && row.mtime_ms === file.mtimeMs && row.inode === file.inode;

export type Identity = Readonly<{
  /** The row of a path: its own, else the one row whose name differs only in Unicode form. */
  find: (path: string) => PathRow | undefined;
  /** Puts the file at a photo, and takes the path from whichever had it. */
  place: (photo: PhotoKey, file: IdentifiedFile) => void;
  /** The photo that has this content, with its path noted; null when the content is new. */
  resolve: (file: IdentifiedFile) => PhotoKey | null;
}>;

export const photoIdentity = (db: Db): Identity => {
  const byPath = db.prepare<[string], PathRow>('SELECT * FROM photo_paths WHERE path = ?');
  const byKey = db.prepare<[string], PathRow>('SELECT * FROM photo_paths WHERE path_key = ? LIMIT 2');
  const photo = db.prepare<[number], { file_hash: Buffer; image_hash: Buffer }>(
    'SELECT file_hash, image_hash FROM photos WHERE id = ?',
  );
  const twinOf = db.prepare<[Buffer], { id: number; alive: number }>(
    'SELECT id, alive FROM photos WHERE file_hash = ? ORDER BY alive DESC, id LIMIT 1',
  );
  const otherPaths = db
    .prepare<[number, string], number>(
      'SELECT count(*) FROM photo_paths WHERE photo_id = ? AND alive = 1 AND path <> ?',
    )
    .pluck();
  const put = db.prepare(
    `INSERT INTO photo_paths (photo_id, path, path_key, bytes, mtime_ms, inode, alive) VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT (path) DO UPDATE SET photo_id = excluded.photo_id, bytes = excluded.bytes,
       mtime_ms = excluded.mtime_ms, inode = excluded.inode, alive = 1`,
  );
  const newBytes = db.prepare('UPDATE photos SET file_hash = ?, bytes = ? WHERE id = ?');

  const find = (path: string): PathRow | undefined => {
    const exact = byPath.get(path);
    if (exact) return exact;
    const key = pathKey(path);
    const alike =
      key === null ? byKey.all(path) : [byPath.get(key), ...byKey.all(key)].filter((row) => row !== undefined);
    return alike.length === 1 ? alike[0] : undefined;
  };

  const place = (key: PhotoKey, { path, identity }: IdentifiedFile): void => {
    put.run(key, path, pathKey(path), identity.bytes, identity.mtimeMs, identity.inode);
  };

  const contentOf = ({ path, identity }: IdentifiedFile): PhotoKey | null => {
    const fileHash = hashBytes(identity.fileHash);
    const here = byPath.get(path)?.photo_id;
    const before = here === undefined ? undefined : photo.get(here);
    if (here !== undefined && before?.file_hash.equals(fileHash)) return here;
    const twin = twinOf.get(fileHash);
    if (twin?.alive) return twin.id;
    const onlyMetadataChanged = before?.image_hash.equals(hashBytes(identity.imageHash)) ?? false;
    if (here !== undefined && onlyMetadataChanged && otherPaths.get(here, path) === 0) {
      newBytes.run(fileHash, identity.bytes, here);
      return here;
    }
    return twin?.id ?? null;
  };

  return {
    find,
    place,
    resolve: (file) => {
      const key = contentOf(file);
      if (key !== null) place(key, file);
      return key;
    },
  };
};

/** Files that could not be judged, each with its reason; tried again when they change or on demand. */
import type { QuarantineReason } from '../../contract/photo.ts';
import { hashBytes, hashText } from '../codes.ts';
import type { FileStat, QuarantineOperations, QuarantineRecord } from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { sameFile } from './identity.ts';
import { pathRange } from './under.ts';

type Row = {
  path: string;
  bytes: number;
  mtime_ms: number;
  inode: string;
  file_hash: Buffer | null;
  reason_code: string;
  reason_params: string;
  attempts: number;
  first_at: number;
  at: number;
};

const toItem = (row: Row): QuarantineRecord => ({
  path: row.path,
  bytes: row.bytes,
  mtimeMs: row.mtime_ms,
  inode: row.inode,
  fileHash: row.file_hash && hashText(row.file_hash),
  reason: { code: row.reason_code, params: JSON.parse(row.reason_params) } as QuarantineReason,
  attempts: row.attempts,
  firstAt: row.first_at,
  at: row.at,
});

/** The entry of a file that has not changed since. */
export const quarantineReader = (db: Db): ((file: FileStat) => QuarantineRecord | null) => {
  const find = db.prepare<[string], Row>('SELECT * FROM quarantine WHERE path = ?');
  return (file) => {
    const row = find.get(file.path);
    return row && sameFile(row, file) ? toItem(row) : null;
  };
};

export const quarantineOperations = (db: Db): QuarantineOperations => {
  const put = db.prepare(
    `INSERT INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, mtime_ms = excluded.mtime_ms, inode = excluded.inode,
       file_hash = excluded.file_hash, reason_code = excluded.reason_code, reason_params = excluded.reason_params,
       attempts = attempts + 1, at = excluded.at`,
  );
  // What was a photo at this path is no longer there, unless the file is the same and only judging it failed.
  const replaced = db.prepare(
    'UPDATE photo_paths SET alive = 0 WHERE path = ? AND alive = 1 AND NOT (bytes = ? AND mtime_ms = ? AND inode = ?)',
  );
  const remove = db.prepare('DELETE FROM quarantine WHERE path = ?');
  const all = db.prepare<[], Row>('SELECT * FROM quarantine ORDER BY path');
  const below = db.prepare<[string, string, string], Row>(
    'SELECT * FROM quarantine WHERE path = ? OR (path >= ? AND path < ?) ORDER BY path',
  );
  return {
    record: atomic(db, (files) => {
      for (const { path, bytes, mtimeMs, inode, fileHash, reason, at } of files) {
        const hash = fileHash && hashBytes(fileHash);
        put.run(path, bytes, mtimeMs, inode, hash, reason.code, JSON.stringify(reason.params), at, at);
        replaced.run(path, bytes, mtimeMs, inode);
      }
    }),
    clear: atomic(db, (paths): number => {
      if (paths === null) return db.prepare('DELETE FROM quarantine').run().changes;
      return paths.reduce((count, path) => count + remove.run(path).changes, 0);
    }),
    list: (under) => (under === null ? all.all() : below.all(...pathRange(under))).map(toItem),
  };
};

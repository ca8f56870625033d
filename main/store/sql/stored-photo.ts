/** What is known of one photo itself: where it lies, what it is, and what the prescreen saw. */
import { hashText } from '../codes.ts';
import type { StoredPhoto } from '../types.ts';
import type { Db } from './connection.ts';
import { idBytes, idText } from './ids.ts';

type PhotoRow = {
  id: number;
  uuid: Buffer;
  file_hash: Buffer;
  image_hash: Buffer;
  format: string;
  bytes: number;
  width: number;
  height: number;
  frames: number;
  damaged: number;
  blurred: number;
  flat: number;
  small: number;
  sharpness: number | null;
  deviation: number | null;
  taken_at: string | null;
  camera: string | null;
  has_gps: number;
};
type PathRow = { path: string; alive: number; bytes: number; mtime_ms: number };

export const storedPhoto = (db: Db): ((id: string) => StoredPhoto | null) => {
  const photo = db.prepare<[Buffer], PhotoRow>('SELECT * FROM photos WHERE uuid = ?');
  const paths = db.prepare<[number], PathRow>(
    'SELECT path, alive, bytes, mtime_ms FROM photo_paths WHERE photo_id = ? ORDER BY alive DESC, path',
  );

  return (id) => {
    const row = photo.get(idBytes(id) ?? Buffer.alloc(0));
    if (!row) return null;
    return {
      id: idText(row.uuid),
      paths: paths
        .all(row.id)
        .map(({ path, alive, bytes, mtime_ms }) => ({ path, alive: alive === 1, bytes, mtimeMs: mtime_ms })),
      fileHash: hashText(row.file_hash),
      imageHash: hashText(row.image_hash),
      format: row.format,
      bytes: row.bytes,
      width: row.width,
      height: row.height,
      frames: row.frames,
      damaged: row.damaged === 1,
      takenAt: row.taken_at,
      camera: row.camera,
      hasGps: row.has_gps === 1,
      prescreen:
        row.sharpness === null || row.deviation === null
          ? null
          : {
              sharpness: row.sharpness,
              deviation: row.deviation,
              blurred: row.blurred === 1,
              flat: row.flat === 1,
              small: row.small === 1,
            },
    };
  };
};

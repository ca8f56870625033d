/** Photos and their paths: what a scan asks before it works, and what it records after. */
import { hashBytes } from '../codes.ts';
import type {
  FileStat,
  JudgedBy,
  JudgedFile,
  KnownPhoto,
  PathState,
  PhotoKey,
  PhotoOperations,
  RecordedPhoto,
  Want,
} from '../types.ts';
import { atomic, type Db } from './connection.ts';
import { evidenceWriter } from './evidence.ts';
import { evidenceReader, missingReader } from './freshness.ts';
import { photoIdentity, sameFile } from './identity.ts';
import { idBytes, idText, newId } from './ids.ts';
import { packVerdicts } from './pack-verdicts.ts';
import { pairKeeper } from './pairs.ts';
import { quarantineReader } from './quarantine.ts';
import { similarKeeper } from './similar.ts';
import { pathRange } from './under.ts';
import { verdictWriter } from './verdicts.ts';

type PhotoRow = {
  id: number;
  uuid: Buffer;
  damaged: number;
  blurred: number;
  flat: number;
  small: number;
  deviation: number | null;
};

const toKnown = (row: PhotoRow): KnownPhoto => ({
  key: row.id,
  id: idText(row.uuid),
  damaged: row.damaged === 1,
  blurred: row.blurred === 1,
  flat: row.flat === 1,
  small: row.small === 1,
  deviation: row.deviation,
});

const perceptualHash = ({ info }: JudgedFile): Buffer | null =>
  info.perceptualHash === null ? null : hashBytes(info.perceptualHash);

export const photoOperations = (db: Db): PhotoOperations => {
  const identity = photoIdentity(db);
  const quarantined = quarantineReader(db);
  const writeVerdicts = verdictWriter(db);
  const writeEvidence = evidenceWriter(db);
  const pairs = pairKeeper(db);
  const similar = similarKeeper(db);
  const read = db.prepare<[number], PhotoRow>(
    'SELECT id, uuid, damaged, blurred, flat, small, deviation FROM photos WHERE id = ?',
  );
  const fields = [
    'format',
    'bytes',
    'width',
    'height',
    'frames',
    'damaged',
    'blurred',
    'flat',
    'small',
    'sharpness',
    'deviation',
    'taken_at',
    'camera',
    'has_gps',
  ];
  const add = db.prepare(
    `INSERT INTO photos (uuid, file_hash, image_hash, added_at, ${fields}) VALUES (?, ?, ?, ?, ${fields.map(() => '?')})`,
  );
  const change = db.prepare(`UPDATE photos SET ${fields.map((field) => `${field} = ?`)} WHERE id = ?`);
  const release = db.prepare('DELETE FROM quarantine WHERE path = ?');
  const gone = db.prepare('UPDATE photo_paths SET alive = 0 WHERE path = ? AND alive = 1');
  const alivePath = db
    .prepare<[Buffer], string>(
      `SELECT h.path FROM photo_paths h JOIN photos ph ON ph.id = h.photo_id
       WHERE ph.uuid = ? AND h.alive = 1 ORDER BY h.path LIMIT 1`,
    )
    .pluck();
  const shown = db.prepare<[number], { uuid: Buffer; path: string; width: number; height: number }>(
    `SELECT ph.uuid, ph.width, ph.height, h.path FROM photos ph JOIN photo_paths h ON h.photo_id = ph.id AND h.alive = 1
     WHERE ph.id = ? ORDER BY h.path LIMIT 1`,
  );
  const photoAt = db
    .prepare<[string], Buffer>(
      'SELECT ph.uuid FROM photo_paths h JOIN photos ph ON ph.id = h.photo_id WHERE h.path = ? AND h.alive = 1',
    )
    .pluck();
  const under = db
    .prepare<[Readonly<Record<string, string | number>>], string>(
      `SELECT path FROM photo_paths WHERE alive = 1 AND (path = :self OR (path >= :from AND path < :to)) AND path > :after
       UNION SELECT path FROM quarantine WHERE (path = :self OR (path >= :from AND path < :to)) AND path > :after
       ORDER BY path LIMIT :limit`,
    )
    .pluck();

  const stateReader = (want: Want) => {
    const missing = missingReader(db, want.verdicts, want.recheck);
    const evidence = evidenceReader(db, want);
    return (key: PhotoKey): PathState => {
      const photo = toKnown(read.get(key)!);
      return { state: 'known', photo, evidence: evidence(key, photo.flat), missing: missing(key, photo.flat) };
    };
  };

  const stateOfFile = (file: FileStat, stateOf: (key: PhotoKey) => PathState): PathState => {
    const held = quarantined(file);
    if (held) return { state: 'quarantined', reason: held.reason, attempts: held.attempts };
    const row = identity.find(file.path);
    return row?.alive && sameFile(row, file) ? stateOf(row.photo_id) : { state: 'unknown' };
  };

  const fieldValues = ({ identity: file, info }: JudgedFile) => {
    const { prescreen } = info;
    return [
      file.format,
      file.bytes,
      info.width,
      info.height,
      info.frames,
      Number(info.damaged),
      Number(prescreen?.blurred ?? false),
      Number(prescreen?.flat ?? false),
      Number(prescreen?.small ?? false),
      prescreen?.sharpness ?? null,
      prescreen?.deviation ?? null,
      info.takenAt,
      info.camera,
      Number(info.hasGps),
    ];
  };

  const recordPhoto = (file: JudgedFile, at: number): RecordedPhoto => {
    const known = identity.resolve(file);
    if (known !== null) {
      const before = toKnown(read.get(known)!);
      change.run(...fieldValues(file), known);
      similar.place(known, perceptualHash(file));
      if (before.damaged !== file.info.damaged) pairs.refreshPhoto(known);
      return { key: known, id: before.id };
    }
    const hashes = [hashBytes(file.identity.fileHash), hashBytes(file.identity.imageHash)];
    const id = newId();
    const key = Number(add.run(id, ...hashes, at, ...fieldValues(file)).lastInsertRowid);
    identity.place(key, file);
    similar.place(key, perceptualHash(file));
    return { key, id: idText(id) };
  };

  const recordAll = atomic(db, (judging: JudgedBy, files: readonly JudgedFile[]): readonly RecordedPhoto[] => {
    const photos = files.map((file) => {
      release.run(file.path);
      const photo = recordPhoto(file, judging.at);
      if (file.evidence) writeEvidence(judging, photo.key, file.evidence);
      return photo;
    });
    // Two files of the same bytes in one batch are one photo: its verdicts count once.
    const firsts = new Map(files.map((file, i) => [photos[i]!.key, file.verdicts] as const).reverse());
    const rows = [...firsts].flatMap(([photo, verdicts]) => verdicts.map((verdict) => ({ photo, verdict })));
    writeVerdicts(judging, packVerdicts(rows));
    return photos;
  });

  return {
    lookup: (files, want) => {
      const stateOf = stateReader(want);
      return files.map((file) => stateOfFile(file, stateOf));
    },
    attach: atomic(db, (files, want): readonly PathState[] => {
      const stateOf = stateReader(want);
      return files.map((file): PathState => {
        const key = identity.resolve(file);
        if (key === null) return { state: 'unknown' };
        release.run(file.path);
        return stateOf(key);
      });
    }),
    recordJudged: (judging, files) => {
      try {
        return recordAll(judging, files);
      } catch (error) {
        similar.forget();
        throw error;
      }
    },
    listPaths: (folder, after, limit) => {
      const [self, from, to] = pathRange(folder);
      return under.all({ self, from, to, after: after ?? '', limit });
    },
    markGone: atomic(db, (paths): number => {
      let count = 0;
      for (const path of paths) {
        release.run(path);
        count += gone.run(path).changes;
      }
      return count;
    }),
    pathOf: (id) => alivePath.get(idBytes(id) ?? Buffer.alloc(0)) ?? null,
    shownAs: (keys) =>
      keys.flatMap((key) => {
        const row = shown.get(key);
        return row ? [{ key, id: idText(row.uuid), path: row.path, width: row.width, height: row.height }] : [];
      }),
    idAt: (path) => {
      const uuid = photoAt.get(path);
      return uuid ? idText(uuid) : null;
    },
  };
};

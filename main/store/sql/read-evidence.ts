/** A reading connection for a worker that judges stored evidence again; one per worker, beside the writer's. */
import type { Device, Precision } from '../../contract/labels.ts';
import type { EvidenceKey, FreshnessKey, PhotoFlags, PhotoKey, Recheck, StatementKey } from '../types.ts';
import { connect, databaseFile } from './connection.ts';
import { extractionKeys } from './evidence.ts';
import { missingReader } from './freshness.ts';

export type StoredEvidence = PhotoFlags &
  Readonly<{
    photo: PhotoKey;
    deviation: number | null;
    /** null for a flat photo, which no model has seen, and where none is kept. */
    blob: Uint8Array | null;
    /** What made the evidence; absent for a flat photo. */
    precision?: Precision;
    device?: Device;
    /** Statements that lack a fresh verdict on it, in the order wanted. */
    missing: readonly StatementKey[];
  }>;

export type EvidenceWanted = Readonly<{
  /** null: none is kept, since the pack is a joint one. */
  evidence: EvidenceKey | null;
  verdicts: FreshnessKey;
  recheck: Recheck;
  /** Only these photos; all that are alive when null. */
  photos: Uint32Array | null;
}>;

export type EvidenceReader = Readonly<{
  /**
   * Photos that lack a verdict, by rising key, in pages of at most `pageSize`: those with evidence or flat, or all
   * where none is kept.
   */
  pages: (wanted: EvidenceWanted, pageSize: number) => Generator<readonly StoredEvidence[]>;
  /** The best evidence that satisfies the key of every photo that is alive. */
  all: (evidence: EvidenceKey) => Generator<Readonly<{ photo: PhotoKey; blob: Uint8Array }>>;
  /** How many photos are alive and not flat, so that a model sees them. */
  judgeable: () => number;
  close: () => void;
}>;

type Row = {
  id: number;
  damaged: number;
  blurred: number;
  flat: number;
  small: number;
  deviation: number | null;
};
type EvidenceRow = { photo_id: number; blob: Buffer; device: Device };
type Stored = Pick<StoredEvidence, 'blob' | 'precision' | 'device'>;
const noEvidence: Stored = { blob: null };

/** Throws what SQLite throws; the home must have been opened by a writer before. */
export const openEvidenceReader = (home: string): EvidenceReader => {
  const db = connect(databaseFile(home), true);
  const columns = 'id, damaged, blurred, flat, small, deviation';
  const nextPhotos = db.prepare<[number, number], Row>(
    `SELECT ${columns} FROM photos WHERE id > ? AND alive = 1 ORDER BY id LIMIT ?`,
  );
  const onePhoto = db.prepare<[number], Row>(`SELECT ${columns} FROM photos WHERE id = ? AND alive = 1`);
  const evidenceOf = db.prepare<[string, number], EvidenceRow>(
    `SELECT e.photo_id, e.blob, e.device FROM json_each(?) wanted
     CROSS JOIN evidence e ON e.extraction_id = ? AND e.photo_id = wanted.value`,
  );
  const precisionOf = db.prepare<[number], Precision>('SELECT precision FROM extractions WHERE id = ?').pluck();
  const judgeable = db.prepare<[], number>('SELECT count(*) FROM photos WHERE alive = 1 AND flat = 0').pluck();

  function* photoRows(photos: Uint32Array | null, pageSize: number): Generator<readonly Row[]> {
    if (photos) {
      const sorted = photos.toSorted();
      for (let start = 0; start < sorted.length; start += pageSize) {
        yield [...sorted.subarray(start, start + pageSize)].flatMap((key) => onePhoto.get(key) ?? []);
      }
      return;
    }
    for (let last = 0; ; ) {
      const rows = nextPhotos.all(last, pageSize);
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)!.id;
    }
  }

  function* pages({ evidence, verdicts, recheck, photos }: EvidenceWanted, pageSize: number) {
    const missingOf = missingReader(db, verdicts, recheck);
    const extractions = (evidence ? extractionKeys(db, evidence) : []).map((key) => ({
      key,
      precision: precisionOf.get(key)!,
    }));
    /** One query for a page and extraction: a query for each photo would take most of the time of a rescore. */
    const storedOf = (photos: readonly PhotoKey[]): ReadonlyMap<PhotoKey, Stored> => {
      const found = new Map<PhotoKey, Stored>();
      for (const { key, precision } of extractions) {
        const rest = found.size === 0 ? photos : photos.filter((photo) => !found.has(photo));
        if (rest.length === 0) break;
        for (const { photo_id, blob, device } of evidenceOf.all(JSON.stringify(rest), key)) {
          found.set(photo_id, { blob, precision, device });
        }
      }
      return found;
    };
    for (const rows of photoRows(photos, pageSize)) {
      const lacking = rows
        .map((row) => ({ row, missing: missingOf(row.id, row.flat === 1) }))
        .filter(({ missing }) => missing.length > 0);
      const stored = storedOf(lacking.map(({ row }) => row.id));
      yield lacking.flatMap(({ row, missing }): readonly StoredEvidence[] => {
        const found = stored.get(row.id);
        if (!found && row.flat !== 1 && evidence) return [];
        return [
          {
            photo: row.id,
            damaged: row.damaged === 1,
            blurred: row.blurred === 1,
            flat: row.flat === 1,
            small: row.small === 1,
            deviation: row.deviation,
            ...(found ?? noEvidence),
            missing,
          },
        ];
      });
    }
  }

  function* all(evidence: EvidenceKey) {
    const [best, ...others] = extractionKeys(db, evidence);
    if (best === undefined) return;
    const better = `EXISTS (SELECT 1 FROM evidence b WHERE b.photo_id = e.photo_id AND b.extraction_id IN (SELECT value FROM json_each(?)))`;
    const rows = db.prepare<[number, string], { photo: number; blob: Buffer }>(
      `SELECT e.photo_id AS photo, e.blob FROM evidence e JOIN photos ph ON ph.id = e.photo_id AND ph.alive = 1
       WHERE e.extraction_id = ? AND NOT ${better}`,
    );
    const done: number[] = [];
    for (const extraction of [best, ...others]) {
      yield* rows.iterate(extraction, JSON.stringify(done));
      done.push(extraction);
    }
  }

  return {
    pages,
    all,
    judgeable: () => judgeable.get() ?? 0,
    close: () => db.close(),
  };
};

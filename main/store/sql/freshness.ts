/** Which statements still lack a verdict on a photo, and whether its evidence is stored. */
import { hashText } from '../codes.ts';
import type { FreshnessKey, PhotoKey, Recheck, StatementKey, Want } from '../types.ts';
import type { Db } from './connection.ts';
import { extractionKeys } from './evidence.ts';

type JudgingFacts = Readonly<{
  packSha256: string;
  adapterVersion: string;
  hypothesisHash: string;
  precision: string;
}>;

/** Facts of judgings, read once each. */
const judgingFacts = (db: Db): ((judging: number) => JudgingFacts) => {
  const read = db.prepare<
    [number],
    { sha256: Buffer; adapter_version: string; hypothesis_hash: string; precision: string }
  >(
    `SELECT k.sha256, k.adapter_version, j.hypothesis_hash, j.precision
     FROM judgings j JOIN packs k ON k.id = j.pack_id WHERE j.id = ?`,
  );
  const known = new Map<number, JudgingFacts>();
  return (judging) => {
    const found = known.get(judging);
    if (found) return found;
    const row = read.get(judging);
    if (!row) throw new Error(`judging ${judging} is missing`);
    const facts = {
      packSha256: hashText(row.sha256),
      adapterVersion: row.adapter_version,
      hypothesisHash: row.hypothesis_hash,
      precision: row.precision,
    };
    known.set(judging, facts);
    return facts;
  };
};

type CurrentRow = { statement_id: number; judging_id: number; rank: number };

/** Rank of a verdict: 0 nothing was judged (flat, timed out), 1 degraded, 2 real. A lower never replaces a higher one. */
const ranks = { none: 0, degraded: 1, real: 2 } as const;

/** A flat photo has nothing to judge: its verdict is as good as it gets. */
const isDegraded = (rank: number, flat: boolean): boolean => rank < ranks.real && !(rank === ranks.none && flat);

const wantedAgain = (
  recheck: Recheck,
  { rank, flat }: { rank: number; flat: boolean },
  facts: JudgingFacts,
): boolean => {
  switch (recheck.kind) {
    case 'none':
      // What was not judged in time has no verdict yet.
      return rank === ranks.none && !flat;
    case 'all':
      return true;
    case 'degraded':
      return isDegraded(rank, flat);
    case 'precision':
      return facts.precision !== recheck.precision;
  }
};

/** A reader of the statements (in the order wanted) that lack a fresh verdict on a photo. */
export const missingReader = (
  db: Db,
  key: FreshnessKey,
  recheck: Recheck,
): ((photo: PhotoKey, flat: boolean) => readonly StatementKey[]) => {
  const model = db.prepare<[string], number>('SELECT id FROM models WHERE name = ?').pluck().get(key.packId);
  const wanted = new Map(key.statements.map((statement) => [statement.statement, statement.hypothesisHash]));
  const all = [...wanted.keys()];
  // Without a judging there is no verdict: a new statement needs no look at each photo.
  const judged = db.prepare<[number], number>('SELECT 1 FROM judgings WHERE statement_id = ? LIMIT 1').pluck();
  if (model === undefined || all.every((statement) => judged.get(statement) === undefined)) return () => all;
  const factsOf = judgingFacts(db);
  const current = db.prepare<[number, number], CurrentRow>(
    'SELECT statement_id, judging_id, rank FROM pairs WHERE photo_id = ? AND model_id = ?',
  );
  return (photo, flat) => {
    const missing = new Set(all);
    for (const { statement_id, judging_id, rank } of current.all(photo, model)) {
      const hypothesis = wanted.get(statement_id);
      if (hypothesis === undefined) continue;
      const facts = factsOf(judging_id);
      const fresh =
        facts.hypothesisHash === hypothesis &&
        facts.packSha256 === key.packSha256 &&
        facts.adapterVersion === key.adapterVersion;
      if (fresh && !wantedAgain(recheck, { rank, flat }, facts)) missing.delete(statement_id);
    }
    return [...missing];
  };
};

/** Whether what is current of a photo, on these statements, is degraded or was not judged in time. */
const degradedReader = (db: Db, key: FreshnessKey): ((photo: PhotoKey, flat: boolean) => boolean) => {
  const wanted = new Set(key.statements.map(({ statement }) => statement));
  const below = db.prepare<[number, string, number], Pick<CurrentRow, 'statement_id' | 'rank'>>(
    `SELECT statement_id, rank FROM pairs
       WHERE photo_id = ? AND model_id = (SELECT id FROM models WHERE name = ?) AND rank < ?`,
  );
  return (photo, flat) =>
    below
      .all(photo, key.packId, ranks.real)
      .some(({ statement_id, rank }) => wanted.has(statement_id) && isDegraded(rank, flat));
};

/** Whether a photo's evidence is stored as wanted. A recheck that wants inference counts none. */
export const evidenceReader = (db: Db, want: Want): ((photo: PhotoKey, flat: boolean) => boolean) => {
  const key = want.evidence;
  if (!key || want.recheck.kind === 'all') return () => false;
  const precision = want.recheck.kind === 'precision' ? want.recheck.precision : key.precision;
  const degraded = want.recheck.kind === 'degraded' ? degradedReader(db, want.verdicts) : () => false;
  const extractions = extractionKeys(db, { ...key, precision });
  const has = db.prepare('SELECT 1 FROM evidence WHERE extraction_id = ? AND photo_id = ?');
  return (photo, flat) =>
    extractions.some((extraction) => has.get(extraction, photo) !== undefined) && !degraded(photo, flat);
};

/**
 * The first schema.
 *
 * `judgings` holds what all verdicts of one batch on one statement share, so that a verdict is a narrow row; a verdict
 * is keyed by its judging and its photo. `pairs` points each (photo, statement, pack id) at its one current verdict,
 * which its primary key enforces, and carries what queues and filters ask for. `tallies` counts pairs as they change.
 * Labels and grades are indexes into the contract's lists; `marks` are the bits of main/store/sql/pair-state.ts.
 */
const tallyColumns = 'statement_id, model_id, label, grade, wants, shown, marks';
const tallyOf = (row: 'new' | 'old') =>
  tallyColumns
    .split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');
const addTally = `
  INSERT INTO tallies (${tallyColumns}, n) VALUES (${tallyOf('new')}, 1) ON CONFLICT DO UPDATE SET n = n + 1;`;
const takeTally = `
  UPDATE tallies SET n = n - 1 WHERE (${tallyColumns}) = (${tallyOf('old')});`;

const appendOnly = (table: string) => `
CREATE TRIGGER ${table}_keep_update BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
CREATE TRIGGER ${table}_keep_delete BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`;

export const name = '0001-initial';

export const sql = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'interrupted', 'failed')),
  started_at INTEGER NOT NULL, finished_at INTEGER, params TEXT NOT NULL, counts TEXT NOT NULL
) STRICT;

CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE packs (
  id INTEGER PRIMARY KEY, model_id INTEGER NOT NULL REFERENCES models, version TEXT NOT NULL,
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32), adapter_version TEXT NOT NULL,
  UNIQUE (sha256, adapter_version, model_id)
) STRICT;

CREATE TABLE statement_sets (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, model_id INTEGER NOT NULL REFERENCES models
) STRICT;
CREATE TABLE statements (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, set_id INTEGER NOT NULL REFERENCES statement_sets,
  text TEXT NOT NULL, tag TEXT, yes REAL, no REAL, flag TEXT CHECK (flag IN ('yes', 'no')), note TEXT,
  position INTEGER NOT NULL, created_at INTEGER NOT NULL, archived_at INTEGER
) STRICT;
CREATE INDEX statements_text ON statements (text);
CREATE INDEX statements_set ON statements (set_id, position);

CREATE TABLE folders (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, watched INTEGER NOT NULL DEFAULT 0,
  set_id INTEGER REFERENCES statement_sets, settings TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'offline')),
  added_at INTEGER NOT NULL, scanned_at INTEGER
) STRICT;

CREATE TABLE photos (
  id INTEGER PRIMARY KEY CHECK (id < 4294967296), uuid BLOB NOT NULL UNIQUE,
  file_hash BLOB NOT NULL CHECK (length(file_hash) = 32), image_hash BLOB NOT NULL CHECK (length(image_hash) = 32),
  perceptual_hash BLOB,
  format TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, frames INTEGER NOT NULL,
  alive INTEGER NOT NULL DEFAULT 0, damaged INTEGER NOT NULL,
  blurred INTEGER NOT NULL, flat INTEGER NOT NULL, small INTEGER NOT NULL, sharpness REAL, deviation REAL,
  taken_at TEXT, camera TEXT, has_gps INTEGER NOT NULL, added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX photos_file ON photos (file_hash);

-- path is as the file system gave it; path_key is its NFC form where that differs.
CREATE TABLE photo_paths (
  id INTEGER PRIMARY KEY, photo_id INTEGER NOT NULL REFERENCES photos, path TEXT NOT NULL UNIQUE, path_key TEXT,
  bytes INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode TEXT NOT NULL, alive INTEGER NOT NULL
) STRICT;
CREATE INDEX photo_paths_photo ON photo_paths (photo_id, alive, path);
CREATE INDEX photo_paths_key ON photo_paths (path_key) WHERE path_key IS NOT NULL;

CREATE TABLE quarantine (
  path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode TEXT NOT NULL, file_hash BLOB,
  reason_code TEXT NOT NULL, reason_params TEXT NOT NULL, attempts INTEGER NOT NULL,
  first_at INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE extractions (
  id INTEGER PRIMARY KEY, pack_sha256 BLOB NOT NULL, precision TEXT NOT NULL,
  input_size INTEGER NOT NULL, preprocess_version INTEGER NOT NULL,
  UNIQUE (pack_sha256, input_size, preprocess_version, precision)
) STRICT;
CREATE TABLE evidence (
  id INTEGER PRIMARY KEY, extraction_id INTEGER NOT NULL REFERENCES extractions, photo_id INTEGER NOT NULL REFERENCES photos,
  device TEXT NOT NULL, at INTEGER NOT NULL, blob BLOB NOT NULL,
  UNIQUE (extraction_id, photo_id)
) STRICT;

-- seed: the first twelve bytes of the UUIDv7 of each of its verdicts; the photo's id makes the last four.
CREATE TABLE judgings (
  id INTEGER PRIMARY KEY, seed BLOB NOT NULL UNIQUE CHECK (length(seed) = 12),
  statement_id INTEGER NOT NULL REFERENCES statements, pack_id INTEGER NOT NULL REFERENCES packs,
  precision TEXT NOT NULL, device TEXT NOT NULL, degraded INTEGER NOT NULL, policy_version INTEGER NOT NULL,
  hypothesis_hash TEXT NOT NULL, run_id INTEGER REFERENCES runs, at INTEGER NOT NULL
) STRICT;
CREATE INDEX judgings_statement ON judgings (statement_id);

CREATE TABLE verdicts (
  judging_id INTEGER NOT NULL REFERENCES judgings, photo_id INTEGER NOT NULL REFERENCES photos,
  p_yes REAL, p_no REAL, p_maybe REAL, caps TEXT, lean INTEGER, label INTEGER NOT NULL, grade INTEGER NOT NULL,
  confidence REAL, wants INTEGER NOT NULL, reason_code TEXT NOT NULL, reason_params TEXT NOT NULL,
  PRIMARY KEY (judging_id, photo_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX verdicts_photo ON verdicts (photo_id);

CREATE TABLE pairs (
  photo_id INTEGER NOT NULL, statement_id INTEGER NOT NULL, model_id INTEGER NOT NULL, judging_id INTEGER NOT NULL,
  label INTEGER NOT NULL, verdict_label INTEGER NOT NULL, grade INTEGER NOT NULL, confidence REAL, rank INTEGER NOT NULL,
  wants INTEGER NOT NULL, shown INTEGER NOT NULL, marks INTEGER NOT NULL,
  PRIMARY KEY (photo_id, statement_id, model_id),
  FOREIGN KEY (judging_id, photo_id) REFERENCES verdicts
) STRICT, WITHOUT ROWID;
CREATE INDEX pairs_recent ON pairs (judging_id, photo_id, shown, label, grade, wants, marks);
CREATE INDEX pairs_uncertain ON pairs (coalesce(confidence, -1), photo_id, statement_id) WHERE wants = 1 AND shown = 1;
-- Few pairs bear a mark, so finding them by reading all others would be slow.
CREATE INDEX pairs_marked ON pairs (judging_id, photo_id, marks) WHERE marks <> 0 AND shown = 1;

CREATE TABLE tallies (
  statement_id INTEGER NOT NULL, model_id INTEGER NOT NULL, label INTEGER NOT NULL, grade INTEGER NOT NULL,
  wants INTEGER NOT NULL, shown INTEGER NOT NULL, marks INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (${tallyColumns})
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pairs_added AFTER INSERT ON pairs BEGIN ${addTally} END;
CREATE TRIGGER pairs_changed AFTER UPDATE OF label, grade, wants, shown, marks ON pairs BEGIN ${takeTally} ${addTally} END;
CREATE TRIGGER pairs_removed AFTER DELETE ON pairs BEGIN ${takeTally} END;

CREATE TRIGGER paths_added AFTER INSERT ON photo_paths WHEN new.alive BEGIN
  UPDATE photos SET alive = 1 WHERE id = new.photo_id AND alive = 0;
END;
CREATE TRIGGER paths_changed AFTER UPDATE OF alive, photo_id ON photo_paths BEGIN
  UPDATE photos SET alive = EXISTS (SELECT 1 FROM photo_paths WHERE photo_id = photos.id AND alive = 1)
  WHERE id IN (old.photo_id, new.photo_id);
END;
CREATE TRIGGER photos_alive AFTER UPDATE OF alive ON photos WHEN old.alive <> new.alive BEGIN
  UPDATE pairs SET shown = new.alive AND EXISTS (
    SELECT 1 FROM statements s JOIN statement_sets t ON t.id = s.set_id
    WHERE s.id = pairs.statement_id AND s.archived_at IS NULL AND t.model_id = pairs.model_id
  ) WHERE photo_id = new.id;
END;

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, group_uuid BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('confirm', 'override', 'skip', 'undo')),
  photo_id INTEGER NOT NULL REFERENCES photos, statement_id INTEGER NOT NULL REFERENCES statements,
  label INTEGER, note TEXT, reviewer TEXT NOT NULL, blind INTEGER NOT NULL, drawn_with REAL, took_ms INTEGER,
  judging_id INTEGER REFERENCES judgings, verdict_label INTEGER, verdict_grade INTEGER, verdict_confidence REAL,
  before_label INTEGER, after_label INTEGER, undoes INTEGER REFERENCES reviews, at INTEGER NOT NULL,
  CHECK ((kind = 'undo') = (undoes IS NOT NULL)), CHECK ((kind IN ('confirm', 'override')) = (label IS NOT NULL))
) STRICT;
CREATE INDEX reviews_pair ON reviews (photo_id, statement_id);
CREATE INDEX reviews_statement ON reviews (statement_id, photo_id);
CREATE INDEX reviews_group ON reviews (group_uuid);
CREATE UNIQUE INDEX reviews_undoes ON reviews (undoes) WHERE undoes IS NOT NULL;

-- after_review: the last review there was when the flag was made; a later decision settles it.
CREATE TABLE flags (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, photo_id INTEGER NOT NULL REFERENCES photos,
  statement_id INTEGER REFERENCES statements, is_set INTEGER NOT NULL, reason TEXT NOT NULL, made_by TEXT NOT NULL,
  after_review INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX flags_photo ON flags (photo_id, statement_id);
${['verdicts', 'reviews', 'flags'].map(appendOnly).join('')}
`;

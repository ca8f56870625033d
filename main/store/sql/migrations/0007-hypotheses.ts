/**
 * What a pack's text graphs made of the parts of statements, so that a restart need not run them again. The key is all
 * that a hypothesis depends on; `kept_at` says which go first when there are too many.
 */
export const name = '0007-hypotheses';

export const sql = `
CREATE TABLE hypotheses (
  pack_sha256 BLOB NOT NULL CHECK (length(pack_sha256) = 32), adapter_version TEXT NOT NULL, text TEXT NOT NULL,
  kept_at INTEGER NOT NULL, blob BLOB NOT NULL,
  PRIMARY KEY (pack_sha256, adapter_version, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX hypotheses_age ON hypotheses (kept_at);
`;

/**
 * What the review queues and risk control need: whether a verdict is near its threshold, from which measurement a
 * judging was decided again, the pairs drawn for an audit, and an index for each queue, so that a page of a rare mark
 * does not read the common pairs.
 *
 * `source_id`: the judging whose p this one decided again under another policy; null where the model was asked.
 * `audits.id` is the random order in which pairs were drawn, `drawn_with` the probability with which each was.
 */
export const name = '0002-review';

const queueIndex = (queue: string, condition: string) => `
CREATE INDEX pairs_${queue} ON pairs (coalesce(confidence, -1), photo_id, statement_id, model_id, judging_id)
  WHERE ${condition} AND shown = 1;`;

export const sql = `
ALTER TABLE verdicts ADD COLUMN near INTEGER NOT NULL DEFAULT 0;
ALTER TABLE judgings ADD COLUMN source_id INTEGER REFERENCES judgings;

CREATE TABLE audits (
  id INTEGER PRIMARY KEY AUTOINCREMENT, photo_id INTEGER NOT NULL REFERENCES photos,
  statement_id INTEGER NOT NULL REFERENCES statements, drawn_with REAL NOT NULL CHECK (drawn_with > 0 AND drawn_with <= 1),
  at INTEGER NOT NULL, UNIQUE (photo_id, statement_id)
) STRICT;
CREATE TRIGGER audits_keep_update BEFORE UPDATE ON audits BEGIN SELECT RAISE(ABORT, 'audits is append-only'); END;
CREATE TRIGGER audits_keep_delete BEFORE DELETE ON audits BEGIN SELECT RAISE(ABORT, 'audits is append-only'); END;

DROP INDEX pairs_uncertain;
${queueIndex('wanted', 'wants = 1')}
${queueIndex('near', 'marks & 128 <> 0')}
${queueIndex('flagged', 'marks & 4 <> 0')}
${queueIndex('damaged', 'marks & 1 <> 0')}
${queueIndex('degraded', 'marks & 2 <> 0')}
${queueIndex('audit', 'marks & 256 <> 0')}
${queueIndex('disagrees', 'marks & 96 <> 0')}
CREATE INDEX reviews_audit ON reviews (id) WHERE blind = 1 AND drawn_with IS NOT NULL;
`;

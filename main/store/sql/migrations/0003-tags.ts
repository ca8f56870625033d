/**
 * Tags that Vouch set, and the photos whose tags may have to change.
 *
 * `photo_tags` is written before a sidecar is (`written` = 0 until it was), so that after a kill at any moment it is
 * known which keyword is Vouch's own. `sidecar` is '' for a tag that is kept in the database only. Triggers put a photo
 * into `tag_queue` whenever a verdict, a review or its paths change what it should be tagged with, whoever made the
 * change; `turn` grows with each, so that one made while tagging is not lost.
 */
import { labels } from '../../../contract/labels.ts';
import { marks } from '../pair-state.ts';

const yes = labels.indexOf('yes');
const hasTag = (row: 'new' | 'old') => `(SELECT tag FROM statements WHERE id = ${row}.statement_id) IS NOT NULL`;
const queue = (photo: string) => `
  INSERT INTO tag_queue (photo_id) VALUES (${photo}) ON CONFLICT DO UPDATE SET turn = turn + 1, problem = NULL;`;
const earned = (row: 'new' | 'old') =>
  `${row}.label = ${yes}, ${row}.grade, ${row}.shown, ${row}.marks & ${marks.reviewed}`;

export const name = '0003-tags';

export const sql = `
CREATE TABLE photo_tags (
  photo_id INTEGER NOT NULL REFERENCES photos, path TEXT NOT NULL, tag TEXT NOT NULL, keyword TEXT NOT NULL,
  sidecar TEXT NOT NULL, made_by TEXT NOT NULL CHECK (made_by IN ('folder', 'export')), written INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (photo_id, path, sidecar, keyword)
) STRICT, WITHOUT ROWID;
CREATE INDEX photo_tags_sidecar ON photo_tags (sidecar, keyword) WHERE sidecar <> '';

CREATE TABLE tag_queue (photo_id INTEGER PRIMARY KEY, turn INTEGER NOT NULL DEFAULT 0, problem TEXT) STRICT;
CREATE INDEX tag_queue_due ON tag_queue (photo_id) WHERE problem IS NULL;

CREATE TRIGGER pairs_tag_added AFTER INSERT ON pairs WHEN new.label = ${yes} AND new.shown = 1 AND ${hasTag('new')}
BEGIN ${queue('new.photo_id')} END;
CREATE TRIGGER pairs_tag_changed AFTER UPDATE OF label, grade, shown, marks ON pairs
WHEN (old.label = ${yes} OR new.label = ${yes}) AND (${earned('old')}) <> (${earned('new')}) AND ${hasTag('new')}
BEGIN ${queue('new.photo_id')} END;
CREATE TRIGGER pairs_tag_removed AFTER DELETE ON pairs WHEN old.label = ${yes} AND ${hasTag('old')}
BEGIN ${queue('old.photo_id')} END;
-- A new photo's pairs come after its path, and queue it themselves.
CREATE TRIGGER paths_tag_added AFTER INSERT ON photo_paths
WHEN EXISTS (SELECT 1 FROM pairs WHERE photo_id = new.photo_id AND label = ${yes})
BEGIN ${queue('new.photo_id')} END;
CREATE TRIGGER paths_tag_changed AFTER UPDATE OF alive, photo_id ON photo_paths
WHEN (old.alive, old.photo_id) <> (new.alive, new.photo_id)
BEGIN ${queue('old.photo_id')} ${queue('new.photo_id')} END;
`;

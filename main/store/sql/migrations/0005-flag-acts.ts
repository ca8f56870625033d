/**
 * Flags that were made together, and flags that were taken back.
 *
 * `group_uuid`: those made at once; null for one made before there were groups, which stands alone.
 * `undoes`: of a row that says again what was said before a flag, that flag.
 */
export const name = '0005-flag-acts';

export const sql = `
ALTER TABLE flags ADD COLUMN group_uuid BLOB;
ALTER TABLE flags ADD COLUMN undoes INTEGER REFERENCES flags(id);
CREATE INDEX flags_undoes ON flags (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX flags_group ON flags (group_uuid) WHERE group_uuid IS NOT NULL;
CREATE INDEX flags_made ON flags (made_by) WHERE made_by <> 'statement';
`;

/**
 * Under which policy a judging was decided, as two numbers: the version of Vouch's rules, and the revision of what a
 * user's audit has set. Both lay in `policy_version` before, as version + 1000 * revision. A pack's policy tells under
 * which stamp all of its verdicts have been decided (`appliedStamp`) instead of whether they have been; until now there
 * was one version, 1.
 */
export const name = '0006-policy-stamp';

export const sql = `
ALTER TABLE judgings ADD COLUMN policy_revision INTEGER NOT NULL DEFAULT 0;
UPDATE judgings SET policy_revision = policy_version / 1000, policy_version = policy_version % 1000
  WHERE policy_version >= 1000;

UPDATE settings SET value = json_remove(
  json_set(value, '$.appliedStamp', json(CASE json_extract(value, '$.applied')
    WHEN 1 THEN json_object('version', 1, 'revision', json_extract(value, '$.revision')) ELSE 'null' END)),
  '$.applied')
  WHERE name LIKE 'policy %';
`;

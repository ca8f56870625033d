/** Reads what decisions tell about verdicts: the audit's answers, agreement and speed. */
import { hashBytes, labelAt } from '../codes.ts';
import type { QualityOperations } from '../types.ts';
import type { Db } from './connection.ts';

type AuditedRow = {
  photo_id: number;
  statement_id: number;
  truth: number;
  known_since: number;
  p_yes: number;
  p_no: number;
  p_maybe: number;
  caps: string | null;
  verdict_label: number;
  own: number;
};
type DayRow = { day: string; reviews: number; agreed: number };

const standing = "r.kind IN ('confirm', 'override') AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.undoes = r.id)";
const audit = 'r.blind = 1 AND r.drawn_with IS NOT NULL';
const agreed = 'sum(r.label = r.verdict_label)';

export const qualityOperations = (db: Db): QualityOperations => {
  const audited = db.prepare<[Buffer], AuditedRow>(
    `SELECT p.photo_id, p.statement_id, r.label AS truth, max(ph.added_at, s.created_at) AS known_since, v.p_yes, v.p_no, v.p_maybe, v.caps,
       p.verdict_label, (s.yes IS NOT NULL OR s.no IS NOT NULL) AS own
     FROM (SELECT max(r.id) AS id FROM reviews r WHERE ${audit} AND ${standing} GROUP BY r.photo_id, r.statement_id) latest
     CROSS JOIN reviews r ON r.id = latest.id
     CROSS JOIN pairs p ON p.photo_id = r.photo_id AND p.statement_id = r.statement_id AND p.shown = 1
     CROSS JOIN judgings j ON j.id = p.judging_id CROSS JOIN packs k ON k.id = j.pack_id AND k.sha256 = ?
     CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
     CROSS JOIN statements s ON s.id = p.statement_id CROSS JOIN photos ph ON ph.id = p.photo_id
     WHERE v.p_yes IS NOT NULL ORDER BY r.id`,
  );
  const byDay = db.prepare<[number], DayRow>(
    `SELECT strftime('%Y-%m-%d', r.at / 1000, 'unixepoch') AS day, count(*) AS reviews, ${agreed} AS agreed
     FROM reviews r WHERE ${standing} AND r.verdict_label IS NOT NULL GROUP BY day ORDER BY day DESC LIMIT ?`,
  );
  const byStatement = db.prepare<[], { statement: number; reviews: number; agreed: number }>(
    `SELECT r.statement_id AS statement, count(*) AS reviews, ${agreed} AS agreed
     FROM reviews r WHERE ${standing} AND r.verdict_label IS NOT NULL GROUP BY r.statement_id`,
  );
  const times = db
    .prepare<[], number>(
      `SELECT r.took_ms FROM reviews r WHERE ${standing} AND r.took_ms IS NOT NULL ORDER BY r.took_ms`,
    )
    .pluck();
  const scores = db
    .prepare<[number, number], number>(
      `SELECT v.p_yes FROM judgings j CROSS JOIN pairs p ON p.judging_id = j.id AND p.shown = 1
       CROSS JOIN verdicts v ON v.judging_id = p.judging_id AND v.photo_id = p.photo_id
       WHERE j.statement_id = ? AND v.p_yes IS NOT NULL LIMIT ?`,
    )
    .pluck();

  const draws = db.prepare<[], { at: number; chance: number }>(
    `SELECT a.at, avg(a.drawn_with) * avg(EXISTS (
       SELECT 1 FROM reviews r WHERE r.photo_id = a.photo_id AND r.statement_id = a.statement_id AND ${audit} AND ${standing}
     )) AS chance FROM audits a GROUP BY a.at`,
  );

  /**
   * The probability with which a pair that was known since then came to be reviewed by any draw: in each draw, those
   * not drawn before had the same chance. Draws one after the other so make one sample, with equal chances where no
   * photo came in between.
   */
  const chances = (): ((knownSince: number) => number) => {
    const all = draws.all();
    return (knownSince) => {
      const missed = all.reduce((product, { at, chance }) => (at < knownSince ? product : product * (1 - chance)), 1);
      return Math.max(Number.EPSILON, 1 - missed);
    };
  };

  return {
    audited: (packSha256) => {
      const chanceOf = chances();
      return audited.all(hashBytes(packSha256)).map((row) => ({
        photo: row.photo_id,
        statement: row.statement_id,
        truth: labelAt(row.truth),
        drawnWith: chanceOf(row.known_since),
        p: { yes: row.p_yes, no: row.p_no, maybe: row.p_maybe },
        caps: row.caps === null ? [] : JSON.parse(row.caps),
        label: labelAt(row.verdict_label),
        ownThresholds: row.own === 1,
      }));
    },
    agreementByDay: (days) => byDay.all(days).reverse(),
    agreementByStatement: () => byStatement.all(),
    speed: () => {
      const all = times.all();
      return all.length === 0 ? null : { medianMs: all[all.length >> 1]!, of: all.length };
    },
    scores: (statement, limit) => scores.all(statement, limit),
  };
};

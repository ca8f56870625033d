/** The photos that a search found, with their scores: held in a temporary table until the next search. */
import type { ResultFilter } from '../../contract/result-filter.ts';
import { failWith } from '../../failure.ts';
import type { Ranking } from '../types-results.ts';
import { atomic, type Db } from './connection.ts';

export type Ranked = Readonly<{
  hold: (ranking: Ranking) => void;
  /** The score from which a photo is shown. Fails where another text was searched for last. */
  least: (fits: NonNullable<ResultFilter['fits']>) => number;
}>;

export const rankedPhotos = (db: Db): Ranked => {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS ranking (text TEXT NOT NULL, likely REAL NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS ranked (photo_id INTEGER PRIMARY KEY, score REAL NOT NULL)`);
  const held = db.prepare<[], Readonly<{ text: string; likely: number }>>('SELECT text, likely FROM temp.ranking');
  const name = db.prepare<[string, number]>('INSERT INTO temp.ranking VALUES (?, ?)');
  const add = db.prepare<[number, number]>('INSERT INTO temp.ranked VALUES (?, ?)');
  return {
    hold: atomic(db, ({ text, photos, scores, likely }) => {
      db.exec('DELETE FROM temp.ranking; DELETE FROM temp.ranked');
      name.run(text, likely);
      for (let i = 0; i < photos.length; i++) add.run(photos[i]!, scores[i]!);
    }),
    least: ({ text, likely }) => {
      const ranking = held.get();
      if (!ranking || ranking.text !== text) {
        return failWith('unexpected', { detail: `nothing is held of a search for ${text}`, log: null });
      }
      return likely ? ranking.likely : 0;
    },
  };
};

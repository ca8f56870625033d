/** The photos that a search found, with their scores: held in a temporary table until the next search. */
import type { ResultFilter } from '../../contract/result-filter.ts';
import { fail } from '../errors.ts';
import type { Ranking } from '../types-results.ts';
import { atomic, type Db } from './connection.ts';

export type Ranked = Readonly<{
  hold: (ranking: Ranking) => void;
  /** Fails where another text was searched for last. */
  expect: (fits: NonNullable<ResultFilter['fits']>) => void;
}>;

export const rankedPhotos = (db: Db): Ranked => {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS ranking (text TEXT NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS ranked (photo_id INTEGER PRIMARY KEY, score REAL NOT NULL)`);
  const held = db.prepare<[], string>('SELECT text FROM temp.ranking').pluck();
  const name = db.prepare<[string]>('INSERT INTO temp.ranking VALUES (?)');
  const add = db.prepare<[number, number]>('INSERT INTO temp.ranked VALUES (?, ?)');
  return {
    hold: atomic(db, ({ text, photos, scores }) => {
      db.exec('DELETE FROM temp.ranking; DELETE FROM temp.ranked');
      name.run(text);
      for (let i = 0; i < photos.length; i++) add.run(photos[i]!, scores[i]!);
    }),
    expect: ({ text }) => {
      if (held.get() !== text) fail('unexpected', { error: `nothing is held of a search for ${JSON.stringify(text)}` });
    },
  };
};

/**
 * Puts each photo into the group of the nearest photo that began one, when it is first stored: so a group never chains
 * from like to like until its ends differ, and showing groups costs no search.
 */
import type { Db } from './connection.ts';
import { createSimilarIndex, type SimilarIndex } from './similar-index.ts';

export type SimilarKeeper = Readonly<{
  /** Stores the hash (32 bytes; null: none), and finds the photo's group unless it has one. */
  place: (photo: number, hash: Buffer | null) => void;
  /** What is known may not be what the database holds: it is read anew. */
  forget: () => void;
}>;

export const similarKeeper = (db: Db): SimilarKeeper => {
  const firsts = db.prepare<[], { id: number; perceptual_hash: Buffer }>(
    'SELECT id, perceptual_hash FROM photos WHERE group_id = id AND perceptual_hash IS NOT NULL ORDER BY id',
  );
  const groupOf = db.prepare<[number], number | null>('SELECT group_id FROM photos WHERE id = ?').pluck();
  const keep = db.prepare('UPDATE photos SET perceptual_hash = ?, group_id = ? WHERE id = ?');
  let index: SimilarIndex | null = null;

  const opened = (): SimilarIndex => {
    const filled = createSimilarIndex();
    for (const { id, perceptual_hash } of firsts.iterate()) filled.add(id, perceptual_hash);
    return filled;
  };

  return {
    place: (photo, hash) => {
      if (hash === null) return;
      const placed = groupOf.get(photo) ?? null;
      if (placed !== null) {
        keep.run(hash, placed, photo);
        return;
      }
      index ??= opened();
      const group = index.nearest(hash) ?? photo;
      if (group === photo) index.add(photo, hash);
      keep.run(hash, group, photo);
    },
    forget: () => {
      index = null;
    },
  };
};

/**
 * Groups of photos that look alike, and indexes for the filters on what a camera wrote.
 *
 * `group_id`: the photo that its group began with, itself included; null for a photo without a perceptual hash.
 */
export const name = '0004-similar';

export const sql = `
ALTER TABLE photos ADD COLUMN group_id INTEGER REFERENCES photos;
CREATE INDEX photos_group ON photos (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX photos_written ON photos (alive, camera, taken_at, has_gps, width, height);
`;

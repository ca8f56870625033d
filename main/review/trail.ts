/** The audit trail: who decided what, when, on which verdict, and what it changed. */
import type { TrailEntry } from '../contract/review.ts';
import type { StoredReview } from '../store/types.ts';

export const trailEntry = ({ group, photo, ...record }: StoredReview): TrailEntry => ({
  ...record,
  groupId: group,
  photoId: photo,
});

/** The audit trail: who decided what, when, on which verdict, and what it changed. */
import type { TrailEntry } from '../contract/review.ts';
import type { ReviewRecord } from '../store/types.ts';

export const trailEntry = ({ group, photo, ...record }: ReviewRecord): TrailEntry => ({
  ...record,
  groupId: group,
  photoId: photo,
});

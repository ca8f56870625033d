/** Stored verdicts being decided again, so that leaving the view does not lose sight of it. */
import { create } from 'zustand';
import type { DecidingProgress } from '../../main/contract/review.ts';

/** `requestId`: of the call that began it here; null where none runs. */
export const useDeciding = create<Readonly<{ requestId: string | null; progress: DecidingProgress | null }>>(() => ({
  requestId: null,
  progress: null,
}));

/** Stored verdicts being decided again, so that leaving the view does not lose sight of it. */
import { create } from 'zustand';
import type { DecidingProgress } from '../../main/contract/review.ts';

type Deciding = Readonly<{
  /** The call that began it in this window; null where none did. */
  requestId: string | null;
  progress: DecidingProgress | null;
  /** The accepted error that is being looked at; null until one was chosen. */
  target: number | null;
}>;

export const useDeciding = create<Deciding>(() => ({ requestId: null, progress: null, target: null }));

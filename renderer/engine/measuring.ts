/** A benchmark under way, so that leaving the screen does not lose sight of it. */
import { create } from 'zustand';

export const useMeasuring = create<Readonly<{ requestId: string | null; done: number; total: number }>>(() => ({
  requestId: null,
  done: 0,
  total: 0,
}));

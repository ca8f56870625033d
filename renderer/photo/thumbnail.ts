/** How wide the cells of every grid of photos are. */
import { create } from 'zustand';
import { useSettings } from '../data/queries.ts';

/** The width while the size slider is dragged; the settings hold the one that it comes to rest at. */
export const useDraggedWidth = create<{ readonly width: number | null }>(() => ({ width: null }));

export const useThumbnail = (): number => {
  const kept = useSettings().view.thumbnail;
  return useDraggedWidth(({ width }) => width) ?? kept;
};

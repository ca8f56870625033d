/** Which screen the window shows and what lies over it. What a screen shows is kept beside the screen. */
import { create } from 'zustand';
import type { ResultFilter } from '../main/contract/result-filter.ts';
import type { ScreenName } from '../main/contract/screen-names.ts';

type Overlay = 'none' | 'palette' | 'keys' | 'export';

/** The results to show, asked for from another screen; with a photo, that photo fills the screen. */
export type WantedResults = Readonly<{ filter: ResultFilter; photoId?: string }>;

/** One way to a screen. Each is an object of its own: going to the screen that is shown is told too. */
type Visit = Readonly<{ screen: ScreenName; results: WantedResults | null }>;

type Ui = Readonly<{
  visit: Visit;
  overlay: Overlay;
  /** What takes a photo that is dropped on the window; null: it is added to the library. */
  takesDrop: ((file: File) => void) | null;
  show: (screen: ScreenName) => void;
  showResults: (results: WantedResults) => void;
  setOverlay: (overlay: Overlay) => void;
}>;

export const useUi = create<Ui>((set) => ({
  visit: { screen: 'results', results: null },
  overlay: 'none',
  takesDrop: null,
  show: (screen) => set({ visit: { screen, results: null }, overlay: 'none' }),
  showResults: (results) => set({ visit: { screen: 'results', results }, overlay: 'none' }),
  setOverlay: (overlay) => set({ overlay }),
}));

export const useScreen = (): ScreenName => useUi(({ visit }) => visit.screen);
export const screenNow = (): ScreenName => useUi.getState().visit.screen;

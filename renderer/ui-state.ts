/** What the window is showing. Everything else comes from the core. */
import { create } from 'zustand';
import type { ResultFilter, ResultSort } from '../main/contract/result-filter.ts';
import { likelyFit } from '../main/contract/review.ts';

const screens = ['review', 'library', 'results', 'statements', 'engine', 'settings'] as const;
export type ScreenName = (typeof screens)[number];
type Overlay = 'none' | 'palette' | 'keys' | 'export';

type Ui = Readonly<{
  screen: ScreenName;
  overlay: Overlay;
  filter: ResultFilter;
  sort: ResultSort;
  /** Photos that fit a text come best first, whatever the order of the others. */
  byFit: boolean;
  /** Photos that look alike share a cell. */
  grouped: boolean;
  /** The photo under the grid's cursor. */
  photoId: string | null;
  /** The photo fills the screen. */
  open: boolean;
  /** The statement whose verdict the inspector explains. */
  statementId: string | null;
  gridAtTop: boolean;
  newResults: boolean;
  /** While the size slider is dragged; else the settings hold it. */
  thumbnail: number | null;
  /** Who takes a photo that is dropped on the window; else it is added to the library. */
  takesDrop: ((file: File) => void) | null;
  show: (screen: ScreenName) => void;
  setOverlay: (overlay: Overlay) => void;
  setFilter: (change: Partial<ResultFilter>) => void;
  /** Looks for photos that fit a text; an empty one ends the search. */
  find: (text: string) => void;
  /** Shows the results under another filter, from whatever screen. */
  showResults: (filter: ResultFilter) => void;
  clearFilter: () => void;
}>;

const named = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

export const useUi = create<Ui>((set) => ({
  screen: 'results',
  overlay: 'none',
  filter: {},
  sort: { by: 'judgedAt', direction: 'descending' },
  byFit: true,
  grouped: false,
  photoId: null,
  open: false,
  statementId: null,
  gridAtTop: true,
  newResults: false,
  thumbnail: null,
  takesDrop: null,
  show: (screen) => set({ screen, open: false, overlay: 'none', newResults: false }),
  setOverlay: (overlay) => set({ overlay }),
  setFilter: (change) =>
    set(({ filter }) => ({ filter: named({ ...filter, ...change }), open: false, newResults: false })),
  find: (text) =>
    set(({ filter, byFit }) => ({
      filter: named({ ...filter, fits: text ? { text, least: filter.fits?.least ?? likelyFit } : undefined }),
      byFit: filter.fits ? byFit : true,
      photoId: null,
      open: false,
      newResults: false,
    })),
  showResults: (filter) =>
    set({
      screen: 'results',
      filter,
      statementId: filter.statementIds?.[0] ?? null,
      photoId: null,
      open: false,
      overlay: 'none',
      newResults: false,
    }),
  clearFilter: () => set({ filter: {}, open: false, newResults: false }),
}));

const bestFit: ResultSort = { by: 'fit', direction: 'descending' };
/** The order of the results as they are shown. */
export const orderOf = ({ filter, sort, byFit }: Ui): ResultSort => (filter.fits && byFit ? bestFit : sort);

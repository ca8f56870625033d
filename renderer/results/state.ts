/** Which results are shown, in which order, and which photo of them is looked at. */
import { create } from 'zustand';
import type { ResultFilter, ResultSort } from '../../main/contract/result-filter.ts';
import { useUi, type WantedResults } from '../ui-state.ts';

type ResultsView = Readonly<{
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
  /** The grid lacks verdicts that arrived while it was scrolled or a photo was open. */
  newResults: boolean;
  /** The search field takes the focus as soon as it is on the screen. */
  searching: boolean;
}>;

export const useResultsView = create<ResultsView>(() => ({
  filter: {},
  sort: { by: 'judgedAt', direction: 'descending' },
  byFit: true,
  grouped: false,
  photoId: null,
  open: false,
  statementId: null,
  gridAtTop: true,
  newResults: false,
  searching: false,
}));
const { setState: set } = useResultsView;

const named = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

export const setFilter = (change: Partial<ResultFilter>): void =>
  set(({ filter }) => ({ filter: named({ ...filter, ...change }), open: false, newResults: false }));

export const clearFilter = (): void => set({ filter: {}, open: false, newResults: false });

/** Looks for photos that fit a text; an empty one ends the search. */
export const find = (text: string): void =>
  set(({ filter, byFit }) => ({
    filter: named({ ...filter, fits: text ? { text, likely: filter.fits?.likely ?? true } : undefined }),
    byFit: filter.fits ? byFit : true,
    photoId: null,
    open: false,
    newResults: false,
  }));

export const choosePhoto = (photoId: string): void => set({ photoId });
export const openPhoto = (photoId: string): void => set({ photoId, open: true });
export const closePhoto = (): void => set({ open: false });

const bestFit: ResultSort = { by: 'fit', direction: 'descending' };
/** The order of the results as they are shown. */
export const orderOf = ({ filter, sort, byFit }: ResultsView): ResultSort => (filter.fits && byFit ? bestFit : sort);

const wantedView = ({ filter, photoId }: WantedResults): Partial<ResultsView> => ({
  filter,
  statementId: filter.statementIds?.[0] ?? null,
  photoId: photoId ?? null,
  open: photoId !== undefined,
});

// Whoever goes to a screen, this one too, leaves the photo that fills it.
useUi.subscribe(({ visit }, before) => {
  if (visit === before.visit) return;
  set({ open: false, newResults: false, ...(visit.results && wantedView(visit.results)) });
});

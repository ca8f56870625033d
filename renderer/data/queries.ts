import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ResultFilter, ResultSort } from '../../main/contract/result-filter.ts';
import { defaultSettings } from '../../main/contract/settings.ts';
import { answerOf, vouch } from './call.ts';
import { client, keys } from './client.ts';

export const useStart = () => useQuery({ queryKey: keys.start, queryFn: () => answerOf(vouch.start.state()) });
export const useInfo = () => useQuery({ queryKey: keys.info, queryFn: () => answerOf(vouch.app.info()) });
export const useSettings = () =>
  useQuery({ queryKey: keys.settings, queryFn: () => answerOf(vouch.settings.get()) }).data ?? defaultSettings;
export const useFolders = () => useQuery({ queryKey: keys.folders, queryFn: () => answerOf(vouch.library.folders()) });
/** Whether there are folders and photos at all; apart, so that whoever asks is not drawn again with every count. */
export const useContents = (): Readonly<{ folders: boolean; photos: boolean }> =>
  useQuery({
    queryKey: keys.folders,
    queryFn: () => answerOf(vouch.library.folders()),
    select: (folders) => ({ folders: folders.length > 0, photos: folders.some(({ photos }) => photos > 0) }),
  }).data ?? { folders: false, photos: false };
export const useEngine = () => useQuery({ queryKey: keys.engine, queryFn: () => answerOf(vouch.engine.state()) });
/** What was measured for the engine as it runs now; asked for anew when that changes. */
export const useBench = () => {
  const engine = useEngine().data;
  const of = [engine?.model?.sha256, engine?.device?.used, engine?.precision?.used];
  return useQuery({ queryKey: [...keys.bench, ...of], queryFn: () => answerOf(vouch.engine.bench()) });
};
export const useRun = () => useQuery({ queryKey: keys.run, queryFn: () => answerOf(vouch.runs.current()) });

export const useSets = (archived = false) =>
  useQuery({ queryKey: [...keys.sets, archived], queryFn: () => answerOf(vouch.statements.sets({ archived })) });

export const useQuarantine = (folderId: string | null) =>
  useInfiniteQuery({
    queryKey: [...keys.quarantine, folderId],
    queryFn: ({ pageParam }) =>
      answerOf(vouch.library.quarantine({ ...(folderId && { folderId }), cursor: pageParam, limit: 100 })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });

export const useTagProblems = () =>
  useQuery({ queryKey: keys.tags, queryFn: () => answerOf(vouch.library.tagProblems()) });

export const usePreview = (text: string) =>
  useQuery({
    queryKey: ['preview', text],
    queryFn: () => answerOf(vouch.statements.preview({ text })),
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const useResults = (filter: ResultFilter, sort: ResultSort, grouped: boolean) =>
  useInfiniteQuery({
    queryKey: [...keys.results, filter, sort, grouped],
    queryFn: ({ pageParam }) => answerOf(vouch.results.page({ filter, sort, grouped, cursor: pageParam, limit: 100 })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // Comparing every loaded page with itself at each new one costs more than drawing the cells in sight again.
    structuralSharing: false,
  });

/** Looks for photos that fit a text; nobody waiting for it any more ends it. */
export const useSearch = (text: string | null) =>
  useQuery({
    queryKey: [...keys.search, text],
    queryFn: ({ signal }) => {
      const requestId = crypto.randomUUID();
      signal.addEventListener('abort', () => vouch.cancel(requestId), { once: true });
      return answerOf(vouch.search.byText({ text: text ?? '' }, { requestId }));
    },
    enabled: text !== null,
  });

export const useCameras = () =>
  useQuery({ queryKey: keys.cameras, queryFn: () => answerOf(vouch.results.cameras()), staleTime: 0 });

export const useCounts = (filter: ResultFilter) =>
  useQuery({
    queryKey: [...keys.counts, filter],
    queryFn: () => answerOf(vouch.results.counts({ filter })),
    placeholderData: keepPreviousData,
  });

const photoQuery = (photoId: string) => ({
  queryKey: [...keys.photo, photoId],
  queryFn: () => answerOf(vouch.results.photo({ photoId })),
});

export const usePhoto = (photoId: string | null) =>
  useQuery({ ...photoQuery(photoId ?? ''), enabled: photoId !== null });

/** Asks for what is known of a photo before it is shown, while another is looked at. */
export const prefetchPhoto = (photoId: string): void => void client.prefetchQuery(photoQuery(photoId));

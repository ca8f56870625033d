import { QueryClient } from '@tanstack/react-query';

/** Nothing goes stale by itself: the core says what changed. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      retry: (failures, failure) => failures < 2 && (failure.error?.retryable ?? false),
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

export const keys = {
  start: ['start'],
  info: ['info'],
  settings: ['settings'],
  folders: ['folders'],
  quarantine: ['quarantine'],
  tags: ['tags'],
  sets: ['sets'],
  results: ['results'],
  cameras: ['cameras'],
  counts: ['counts'],
  search: ['search'],
  photo: ['photo'],
  engine: ['engine'],
  bench: ['bench'],
  run: ['run'],
  queues: ['queues'],
  quality: ['quality'],
  trail: ['trail'],
} as const;

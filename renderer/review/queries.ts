import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { QueueCount, QueueName } from '../../main/contract/review.ts';
import { answerOf, vouch } from '../data/call.ts';
import { client, keys } from '../data/client.ts';
import { useDeciding } from './deciding.ts';

const queuesKey = ['queues'] as const;
const qualityKey = ['quality'] as const;
const trailKey = ['trail'] as const;
const trailPage = 50;

export const useQueues = () => useQuery({ queryKey: queuesKey, queryFn: () => answerOf(vouch.review.queues({})) });

/** Alone, so that whoever asks is not drawn again with every count. */
export const useAnySkipped = (): boolean =>
  useQuery({
    queryKey: queuesKey,
    queryFn: () => answerOf(vouch.review.queues({})),
    select: ({ skipped }) => skipped > 0,
  }).data ?? false;

export const useQueueCount = (name: QueueName): QueueCount | undefined =>
  useQueues().data?.queues.find((queue) => queue.name === name);

export const useQuality = () => useQuery({ queryKey: qualityKey, queryFn: () => answerOf(vouch.quality.summary()) });

export const useRisk = (target: number | null) =>
  useQuery({
    queryKey: [...qualityKey, 'risk', target],
    queryFn: () => answerOf(vouch.quality.risk({ target: target ?? 0.05 })),
    enabled: target !== null,
  });

/** Everything that was decided on a photo, newest first. */
export const useTrail = (photoId: string) =>
  useInfiniteQuery({
    queryKey: [...trailKey, photoId],
    queryFn: ({ pageParam }) => answerOf(vouch.review.history({ photoId, cursor: pageParam, limit: trailPage })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });

export const setQuality = (view: unknown): void => {
  client.setQueryData(qualityKey, view);
  void client.invalidateQueries({ queryKey: [...qualityKey, 'risk'] });
};

/** Carries the counts that the core tells into the query cache; decisions change trails and figures. */
export const useReviewLive = (): void => {
  useEffect(() => {
    const ends = [
      vouch.on('review', (view) => {
        client.setQueryData(queuesKey, view);
        void client.invalidateQueries({ queryKey: trailKey });
        void client.invalidateQueries({ queryKey: qualityKey });
      }),
      vouch.on('deciding', (progress) => useDeciding.setState({ progress })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
};

/** Explanations of photos that come next are asked for while the current one is looked at. */
export const prefetchPhoto = (photoId: string): void =>
  void client.prefetchQuery({
    queryKey: [...keys.photo, photoId],
    queryFn: () => answerOf(vouch.results.photo({ photoId })),
  });

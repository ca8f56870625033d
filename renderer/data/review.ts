/** What the core knows of the review: queues, figures of quality, and the trail of decisions. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { QualityView, QueueCount, QueueName, QueuesView } from '../../main/contract/review.ts';
import { answerOf, vouch } from './call.ts';
import { client, keys } from './client.ts';

const trailPage = 50;
const risks = [...keys.quality, 'risk'] as const;

export const useQueues = () => useQuery({ queryKey: keys.queues, queryFn: () => answerOf(vouch.review.queues({})) });

/** A query of its own, so that a component that asks only this is not drawn again with every count. */
export const useAnySkipped = (): boolean =>
  useQuery({
    queryKey: keys.queues,
    queryFn: () => answerOf(vouch.review.queues({})),
    select: ({ skipped }) => skipped > 0,
  }).data ?? false;

export const useQueueCount = (name: QueueName): QueueCount | undefined =>
  useQueues().data?.queues.find((queue) => queue.name === name);

export const useQuality = () => useQuery({ queryKey: keys.quality, queryFn: () => answerOf(vouch.quality.summary()) });

export const useRisk = (target: number | null) =>
  useQuery({
    queryKey: [...risks, target],
    queryFn: () => answerOf(vouch.quality.risk({ target: target ?? 0.05 })),
    enabled: target !== null,
  });

/** Everything that was decided on a photo, newest first. */
export const useTrail = (photoId: string) =>
  useInfiniteQuery({
    queryKey: [...keys.trail, photoId],
    queryFn: ({ pageParam }) => answerOf(vouch.review.history({ photoId, cursor: pageParam, limit: trailPage })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });

export const setQuality = (view: QualityView): void => {
  client.setQueryData(keys.quality, view);
  void client.invalidateQueries({ queryKey: risks });
};

/** New counts of the queues; the decisions behind them change trails and figures. */
export const tellQueues = (view: QueuesView): void => {
  client.setQueryData(keys.queues, view);
  void client.invalidateQueries({ queryKey: keys.trail });
  void client.invalidateQueries({ queryKey: keys.quality });
};

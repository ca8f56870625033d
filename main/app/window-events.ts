/** Tells windows what happens in the app, in the topics that they know. */
import type { Events } from '../contract/api.ts';
import type { Topic } from '../contract/channels.ts';
import type { Store } from '../store/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AppBus } from './events.ts';
import { throttled } from './throttled.ts';

export type Tell = <T extends Topic>(topic: T, event: Events[T]) => void;

/** Neighbouring events of these kinds become one. */
const resultsEveryMs = 250;

/** Until the result is called. */
export const tellWindows = (events: AppBus, store: Store, telemetry: Telemetry, tell: Tell): (() => void) => {
  const queues = throttled(resultsEveryMs, () => {
    store.queues.counts({}).then(
      (counts) => tell('review', counts),
      (cause: unknown) => telemetry.emit('queues_not_counted', { error: String(cause) }),
    );
  });
  const results = throttled(resultsEveryMs, () => {
    tell('results', { photoIds: null });
    queues.call();
  });

  for (const topic of ['engine', 'bench', 'search', 'export', 'deciding'] as const) {
    events.on(topic, (event: Events[typeof topic]) => tell(topic, event));
  }
  events.on('runChanged', (run) => tell('progress', run));
  events.on('verdictsChanged', results.call);
  events.on('queuesChanged', (photoIds) => {
    tell('results', { photoIds });
    queues.call();
  });
  events.on('statementsChanged', () => {
    tell('statements', { changed: 'sets' });
    queues.call();
  });
  events.on('foldersChanged', () => tell('library', { changed: 'folders' }));
  events.on('quarantineChanged', () => tell('library', { changed: 'quarantine' }));
  events.on('tagsChanged', () => tell('library', { changed: 'tags' }));
  return () => {
    results.close();
    queues.close();
  };
};

/** Queues: ordered views of the pairs that want a review. */
import type { QueueItem, QueueName, QueueOrder, QueuePage, QueueScope, QueuesView } from '../contract/review.ts';
import type { Store, VerdictFilter, VerdictItem, VerdictOrder } from '../store/types.ts';

const filters: Readonly<Record<QueueName, VerdictFilter | null>> = {
  review: { wantsReview: true },
  flagged: { flagged: true },
  damaged: { damaged: true, wantsReview: true },
  degraded: { degraded: true, wantsReview: true },
  disagreements: { disagrees: true },
  threshold: null,
  audit: null,
};
const orders: Readonly<Record<QueueOrder, VerdictOrder>> = { uncertain: 'uncertain', oldest: 'oldest', folder: 'path' };

const filterOf = (name: QueueName, { setId, statementIds, folderId }: QueueScope): VerdictFilter | null => {
  const filter = filters[name];
  return (
    filter && {
      ...filter,
      ...(setId !== undefined && { set: setId }),
      ...(statementIds?.[0] !== undefined && { statement: statementIds[0] }),
      ...(folderId !== undefined && { under: folderId }),
    }
  );
};

const toItem = async (store: Store, item: VerdictItem): Promise<QueueItem> => {
  const [photo, flags] = await Promise.all([
    store.photos.detail(item.photo),
    item.flagged ? store.flags.list(item.photo) : [],
  ]);
  const { id, photo: photoId, set, ...rest } = item;
  return {
    ...rest,
    verdictId: id,
    photoId,
    setName: set,
    width: photo?.width ?? 0,
    height: photo?.height ?? 0,
    flags: flags
      .filter((flag) => flag.set && (flag.statementId === null || flag.statementId === item.statementId))
      .map(({ reason, by, at, statementId }) => ({ reason, by, at, wholePhoto: statementId === null })),
  };
};

export const queuePage = async (
  store: Store,
  queue: QueueName,
  scope: QueueScope,
  page: Readonly<{ order: QueueOrder; cursor: string | null; limit: number }>,
): Promise<QueuePage> => {
  const filter = filterOf(queue, scope);
  if (!filter) return { items: [], next: null, total: 0, atLeast: false };
  const found = await store.verdicts.list(filter, {
    ...page,
    order: orders[page.order],
    countLimit: 10_000,
  });
  return {
    items: await Promise.all(found.items.map((item) => toItem(store, item))),
    next: found.next,
    total: found.total,
    atLeast: found.atLeast ?? false,
  };
};

export const queueCounts = async (store: Store, scope: QueueScope): Promise<QueuesView> => {
  const names = Object.keys(filters) as QueueName[];
  const queues = await Promise.all(
    names.map(async (name) => {
      const { total, atLeast } = await queuePage(store, name, scope, { order: 'oldest', cursor: null, limit: 1 });
      return { name, count: total, atLeast };
    }),
  );
  const { reviewed } = await store.verdicts.countQueues();
  return { queues, reviewed, skipped: 0 };
};

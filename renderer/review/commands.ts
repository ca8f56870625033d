/** What the keys of the review do on a queue. */
import type { QueueItem, QueueName } from '../../main/contract/review.ts';
import { useCommands } from '../commands/registry.ts';
import { useSets } from '../data/queries.ts';
import { reviewCommand } from './keys.ts';
import { useQueues } from './queries.ts';
import { shownQueues } from './queues.ts';
import { currentOf, openItems } from './sitting.ts';
import {
  confirm,
  decideOn,
  goTo,
  isHidden,
  openQueue,
  skip,
  toggleFlag,
  toggleHidden,
  undoLast,
  useReview,
} from './state.ts';

/** What a decision is about: the selection of the grid, else the current item. */
export const targets = (): readonly QueueItem[] => {
  const { mode, selection, sitting } = useReview.getState();
  if (mode === 'grid' && selection.ids.size > 0)
    return openItems(sitting).filter(({ verdictId }) => selection.ids.has(verdictId));
  const current = currentOf(sitting);
  return current ? [current] : [];
};

/** A hidden answer cannot be confirmed: it comes into sight instead. */
export const confirmTargets = (): void => {
  if (isHidden(useReview.getState())) toggleHidden();
  else confirm(targets());
};

export const switchMode = (): void =>
  useReview.setState(({ mode }) => ({ mode: mode === 'focus' ? 'grid' : 'focus', shownAt: Date.now() }));

const useSteps = () => {
  const sets = useSets().data;
  const queues = useQueues().data;
  const statement = (step: number) => {
    const { scope } = useReview.getState();
    const ids = [undefined, ...(sets ?? []).flatMap((set) => set.statements.map(({ id }) => id))];
    const next = ids[(ids.indexOf(scope.statementIds?.[0]) + step + ids.length) % ids.length];
    const { statementIds: _, ...rest } = scope;
    void openQueue({ scope: next === undefined ? rest : { ...rest, statementIds: [next] } });
  };
  const queue = (step: number) => {
    const { queue: current } = useReview.getState();
    const names: readonly QueueName[] = shownQueues(queues, current).map(({ name }) => name);
    const next = names[(names.indexOf(current) + step + names.length) % names.length];
    if (next) void openQueue({ queue: next });
  };
  return { statement, queue };
};

/** Offered on the focus view and on the grid alike. */
export const useQueueCommands = (): void => {
  const { statement, queue } = useSteps();
  useCommands('review', [
    reviewCommand('review yes', () => decideOn(targets(), 'yes')),
    reviewCommand('review no', () => decideOn(targets(), 'no')),
    reviewCommand('review maybe', () => decideOn(targets(), 'maybe')),
    reviewCommand('review confirm', confirmTargets),
    reviewCommand('review skip', () => skip(targets())),
    reviewCommand('review flag', () => toggleFlag(targets())),
    reviewCommand('review undo', undoLast),
    reviewCommand('review hide', toggleHidden),
    reviewCommand('review note', () => useReview.setState({ writingNote: true })),
    reviewCommand('review mode', switchMode),
    reviewCommand('review next statement', () => statement(1)),
    reviewCommand('review previous statement', () => statement(-1)),
    reviewCommand('review next queue', () => queue(1)),
    reviewCommand('review previous queue', () => queue(-1)),
  ]);
};

/** Offered on the focus view alone: the grid has arrows of its own. */
export const useFocusCommands = (): void => {
  const at = () => useReview.getState().sitting.at;
  const last = () => useReview.getState().sitting.items.length - 1;
  useCommands('review focus', [
    reviewCommand('review next', () => goTo(at() + 1)),
    reviewCommand('review previous', () => goTo(at() - 1)),
    reviewCommand('review first', () => goTo(0)),
    reviewCommand('review last', () => goTo(last())),
  ]);
};

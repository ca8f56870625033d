/** What the keys of the review do on a queue. */
import type { QueueItem, QueueName } from '../../main/contract/review.ts';
import { useCommands } from '../commands/registry.ts';
import { changeSettings } from '../data/actions.ts';
import { useSets, useSettings } from '../data/queries.ts';
import { reviewCommand } from './keys.ts';
import { useQueues } from './queries.ts';
import { shownQueues } from './queues.ts';
import { openItems } from './sitting.ts';
import {
  atHand,
  confirm,
  decideOn,
  goTo,
  isHidden,
  openQueue,
  setMode,
  skip,
  toggleFlag,
  toggleHidden,
  undoLast,
  useReview,
} from './state.ts';

/** What a decision is about: the selection of the grid, else the item at hand. */
export const targets = (): readonly QueueItem[] => {
  const state = useReview.getState();
  const { mode, selection, sitting } = state;
  if (mode === 'grid' && selection.ids.size > 0)
    return openItems(sitting).filter(({ verdictId }) => selection.ids.has(verdictId));
  const item = atHand(state);
  return item ? [item] : [];
};

/** A hidden answer cannot be confirmed: it comes into sight instead. */
export const confirmTargets = (): void => {
  if (isHidden(useReview.getState())) toggleHidden();
  else confirm(targets());
};

const switchMode = (): void => setMode(useReview.getState().mode === 'focus' ? 'grid' : 'focus');

const useSteps = () => {
  const sets = useSets().data;
  const queues = useQueues().data;
  const known = (sets ?? []).flatMap((set) => set.statements.map(({ id }) => id));
  const statement = (step: number) => {
    const { scope } = useReview.getState();
    const ids = [undefined, ...known];
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
  return { statement, queue, statements: known.length };
};

/** The note's field is in the inspector, which comes back for it. */
const useWriteNote = () => {
  const { inspector } = useSettings().view;
  return () => {
    if (!atHand(useReview.getState())) return;
    useReview.setState({ writingNote: true });
    if (!inspector) void changeSettings({ view: { inspector: true } });
  };
};

/** Whether there is anything that undo could take back. */
const useAnyDone = (): boolean => {
  const here = useReview(({ sitting }) => sitting.steps.length > 0);
  const view = useQueues().data;
  const flagged = view?.queues.some(({ name, count }) => name === 'flagged' && count > 0) ?? false;
  return here || flagged || (view?.reviewed ?? 0) + (view?.skipped ?? 0) > 0;
};

/** Offered on the focus view and on the grid alike. */
export const useQueueCommands = (): void => {
  const steps = useSteps();
  const writeNote = useWriteNote();
  const onItem = useReview((state) => atHand(state) !== undefined);
  const filled = useReview((state) => state.sitting.items.length > 0);
  const hidden = useReview(isHidden);
  const undoable = useAnyDone();
  useCommands('review', [
    reviewCommand('review yes', () => decideOn(targets(), 'yes'), onItem),
    reviewCommand('review no', () => decideOn(targets(), 'no'), onItem),
    reviewCommand('review maybe', () => decideOn(targets(), 'maybe'), onItem),
    reviewCommand('review confirm', confirmTargets, onItem && !hidden),
    reviewCommand('review skip', () => skip(targets()), onItem),
    reviewCommand('review flag', () => toggleFlag(targets()), onItem),
    reviewCommand('review undo', undoLast, undoable),
    reviewCommand('review hide', toggleHidden, onItem),
    reviewCommand('review note', writeNote, onItem),
    reviewCommand('review mode', switchMode, filled),
    reviewCommand('review next statement', () => steps.statement(1), steps.statements > 0),
    reviewCommand('review previous statement', () => steps.statement(-1), steps.statements > 0),
    reviewCommand('review next queue', () => steps.queue(1)),
    reviewCommand('review previous queue', () => steps.queue(-1)),
  ]);
};

/** Offered on the focus view alone: the grid has arrows of its own. */
export const useFocusCommands = (): void => {
  const at = () => useReview.getState().sitting.at;
  const last = () => useReview.getState().sitting.items.length - 1;
  const before = useReview(({ sitting }) => sitting.at > 0);
  const after = useReview(({ sitting }) => sitting.at < sitting.items.length);
  const beforeLast = useReview(({ sitting }) => sitting.at < sitting.items.length - 1);
  useCommands('review focus', [
    reviewCommand('review next', () => goTo(at() + 1), after),
    reviewCommand('review previous', () => goTo(at() - 1), before),
    reviewCommand('review first', () => goTo(0), before),
    reviewCommand('review last', () => goTo(last()), beforeLast),
  ]);
};

/** What the keys of the review do on a queue. */
import type { QueueItem, QueueName } from '../../main/contract/review.ts';
import { commandOf } from '../commands/bindable.ts';
import { useCommands } from '../commands/registry.ts';
import { changeSettings } from '../data/actions.ts';
import { useSets, useSettings } from '../data/queries.ts';
import { useQueues } from '../data/review.ts';
import { confirm, decideOn, setMode, skip, toggleFlag, toggleHidden, undoLast } from './actions.ts';
import { goTo, openQueue } from './queue.ts';
import { shownQueues } from './queues.ts';
import { atHand, isHidden, useReview } from './state.ts';
import { openItems } from './worklist.ts';

/** What a decision is about: the selection of the grid, else the item at hand. */
export const targets = (): readonly QueueItem[] => {
  const state = useReview.getState();
  const { mode, selection, worklist } = state;
  if (mode === 'grid' && selection.ids.size > 0)
    return openItems(worklist).filter(({ verdictId }) => selection.ids.has(verdictId));
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
  const here = useReview(({ worklist }) => worklist.steps.length > 0);
  const view = useQueues().data;
  const flagged = view?.queues.some(({ name, count }) => name === 'flagged' && count > 0) ?? false;
  return here || flagged || (view?.reviewed ?? 0) + (view?.skipped ?? 0) > 0;
};

/** Offered on the focus view and on the grid alike. */
export const useQueueCommands = (): void => {
  const steps = useSteps();
  const writeNote = useWriteNote();
  const onItem = useReview((state) => atHand(state) !== undefined);
  const filled = useReview((state) => state.worklist.items.length > 0);
  const hidden = useReview(isHidden);
  const undoable = useAnyDone();
  useCommands('review', [
    commandOf('review yes', () => decideOn(targets(), 'yes'), onItem),
    commandOf('review no', () => decideOn(targets(), 'no'), onItem),
    commandOf('review maybe', () => decideOn(targets(), 'maybe'), onItem),
    commandOf('review confirm', confirmTargets, onItem && !hidden),
    commandOf('review skip', () => skip(targets()), onItem),
    commandOf('review flag', () => toggleFlag(targets()), onItem),
    commandOf('review undo', undoLast, undoable),
    commandOf('review hide', toggleHidden, onItem),
    commandOf('review note', writeNote, onItem),
    commandOf('review mode', switchMode, filled),
    commandOf('review next statement', () => steps.statement(1), steps.statements > 0),
    commandOf('review previous statement', () => steps.statement(-1), steps.statements > 0),
    commandOf('review next queue', () => steps.queue(1)),
    commandOf('review previous queue', () => steps.queue(-1)),
  ]);
};

/** Offered on the focus view alone: the grid has arrows of its own. */
export const useFocusCommands = (): void => {
  const at = () => useReview.getState().worklist.at;
  const last = () => useReview.getState().worklist.items.length - 1;
  const before = useReview(({ worklist }) => worklist.at > 0);
  const after = useReview(({ worklist }) => worklist.at < worklist.items.length);
  const beforeLast = useReview(({ worklist }) => worklist.at < worklist.items.length - 1);
  useCommands('review focus', [
    commandOf('review next', () => goTo(at() + 1), after),
    commandOf('review previous', () => goTo(at() - 1), before),
    commandOf('review first', () => goTo(0), before),
    commandOf('review last', () => goTo(last()), beforeLast),
  ]);
};

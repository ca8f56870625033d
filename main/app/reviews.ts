/** What a person decides, the same wherever they decide it: in a window, on the command line, or over HTTP. */
import type { Decision } from '../contract/review.ts';
import { type Undone, undoLast } from '../review/undo.ts';
import type { FlagRecord, FlagTarget, Store, StoredReview } from '../store/types.ts';
import type { AppBus } from './events.ts';

/** What is wrong with an undo where there is nothing to undo. */
export const nothingToUndo = 'there is no decision or flag of yours to take back';

export type Reviews = Readonly<{
  /** One decision on one or many pairs, named by their verdicts. `blind`: the model's answer was hidden. */
  decide: (
    verdictIds: readonly string[],
    decision: Decision,
    how: Readonly<{ blind: boolean; tookMs?: number }>,
  ) => Promise<readonly StoredReview[]>;
  /** Takes back the last things that the reviewer did, each a decision or flags; fewer where there are fewer. */
  undo: (steps: number) => Promise<Undone>;
  /** Sends pairs to spot-check, or takes them off it. */
  flag: (targets: readonly FlagTarget[], set: boolean, reason: string) => Promise<void>;
  /** Draws so many more pairs at random into the audit. */
  drawAudit: (count: number) => Promise<Readonly<{ drawn: number; waiting: number }>>;
  /** Takes back every skip; gives how many. */
  resetSkips: () => Promise<number>;
}>;

export type ReviewPorts = Readonly<{
  store: Store;
  events: AppBus;
  /** Who decides, as the audit trail names them. */
  reviewer: () => string;
}>;

export const openReviews = ({ store, events, reviewer }: ReviewPorts): Reviews => {
  const changed = (records: readonly Readonly<{ photo: string }>[]) => {
    if (records.length > 0) events.emit('queuesChanged', [...new Set(records.map(({ photo }) => photo))]);
  };
  const undo = async (steps: number): Promise<Undone> => {
    const decisions: StoredReview[] = [];
    const flags: FlagRecord[] = [];
    for (let step = 0; step < steps; step += 1) {
      const undone = await undoLast(store, reviewer(), Date.now());
      if (undone.flags.length + undone.decisions.length === 0) break;
      flags.push(...undone.flags);
      decisions.push(...undone.decisions);
    }
    changed([...decisions, ...flags]);
    return { decisions, flags };
  };
  return {
    decide: async (verdictIds, decision, { blind, tookMs }) => {
      const made = await store.reviews.add(
        verdictIds.map((verdict) => ({ verdict })),
        {
          kind: decision.kind,
          ...(decision.kind === 'override' && { label: decision.label }),
          ...(decision.note && { note: decision.note }),
          ...(tookMs !== undefined && { tookMs }),
          ...{ blind, reviewer: reviewer(), at: Date.now() },
        },
      );
      changed(made);
      return made;
    },
    undo,
    flag: async (targets, set, reason) => {
      await store.flags[set ? 'set' : 'clear'](targets, reason, reviewer(), Date.now());
      changed(targets);
    },
    drawAudit: async (count) => {
      const drawn = await store.queues.draw(count, Date.now());
      events.emit('queuesChanged', null);
      return drawn;
    },
    resetSkips: async () => {
      const count = await store.reviews.resetSkips(reviewer(), Date.now());
      if (count > 0) events.emit('queuesChanged', null);
      return count;
    },
  };
};

import type { Handlers } from '../../contract/api.ts';
import { safeOutput } from '../../export/guard.ts';
import { judgeOne } from '../../judging/judge-one.ts';
import { keepCheck } from '../../review/keep.ts';
import { writeReviewLog } from '../../review/review-log.ts';
import { reviewerName } from '../../review/reviewer.ts';
import { trailEntry } from '../../review/trail.ts';
import { undoLast } from '../../review/undo.ts';
import type { FlagRecord, StoredReview } from '../../store/types.ts';
import { readPolicy } from '../../verdicts/local-policy.ts';
import type { AppService } from '../app-service.ts';
import { failWith } from '../errors.ts';

type Image = Parameters<Handlers['review']['judgeOne']>[0]['image'];

export type ReviewShell = Readonly<{
  /** Where to write the audit trail; null when the dialog was closed. */
  pickPlaceForLog: (name: string) => Promise<string | null>;
}>;

export const reviewHandlers = (service: AppService, shell: ReviewShell): Handlers['review'] => {
  const { store, settings } = service;
  const reviewer = () => reviewerName(settings.now());
  const judging = async () => {
    const opened = await service.judging.current();
    opened.rescorer.usePolicy(await readPolicy(store, opened.pack.sha256));
    return opened;
  };
  const pathOf = async (image: Image): Promise<string> =>
    image.kind === 'file'
      ? image.path
      : ((await store.photos.pathOf(image.photoId)) ?? failWith('not_found', { what: 'photo', id: image.photoId }));

  return {
    queues: ({ scope }) => store.queues.counts(scope),
    page: (request) => store.queues.page(request),
    decide: async ({ verdictIds, decision, blind, tookMs }) => {
      const made = await store.reviews.add(
        verdictIds.map((verdict) => ({ verdict })),
        {
          kind: decision.kind,
          ...(decision.kind === 'override' && { label: decision.label }),
          ...(decision.note && { note: decision.note }),
          ...(tookMs !== undefined && { tookMs }),
          reviewer: reviewer(),
          blind,
          at: Date.now(),
        },
      );
      service.events.emit('queuesChanged', [...new Set(made.map(({ photo }) => photo))]);
      return made.map(trailEntry);
    },
    undo: async ({ steps }) => {
      const decisions: StoredReview[] = [];
      const flags: FlagRecord[] = [];
      for (let step = 0; step < steps; step += 1) {
        const undone = await undoLast(store, reviewer(), Date.now());
        if (undone.flags.length + undone.decisions.length === 0) break;
        flags.push(...undone.flags);
        decisions.push(...undone.decisions);
      }
      const photos = [...decisions, ...flags].map(({ photo }) => photo);
      if (photos.length > 0) service.events.emit('queuesChanged', [...new Set(photos)]);
      return { decisions: decisions.map(trailEntry), flags: flags.length };
    },
    history: async ({ photoId, cursor, limit }) => {
      const items = await store.reviews.list({
        limit,
        ...(photoId !== undefined && { photo: photoId }),
        ...(cursor !== null && { before: cursor }),
      });
      return { items: items.map(trailEntry), next: items.length === limit ? (items.at(-1)?.id ?? null) : null };
    },
    exportLog: async ({ format }) => {
      const picked = await shell.pickPlaceForLog(`vouch-reviews.${format}`);
      if (picked === null) return null;
      const path = await safeOutput(picked, service.core.home);
      return { path, rows: await writeReviewLog(store, format, path) };
    },
    flag: async ({ targets, set, reason }) => {
      await store.flags[set ? 'set' : 'clear'](
        targets.map(({ photoId: photo, statementId }) => ({ photo, statementId })),
        reason,
        reviewer(),
        Date.now(),
      );
      service.events.emit('queuesChanged', [...new Set(targets.map(({ photoId }) => photoId))]);
      return null;
    },
    flags: async ({ photoId }) =>
      (await store.flags.list(photoId)).map(({ reason, by, at, statementId, set }) => ({
        ...{ reason, by, at, statementId, set },
        wholePhoto: statementId === null,
      })),
    drawAudit: async ({ count }) => {
      const drawn = await store.queues.draw(count, Date.now());
      service.events.emit('queuesChanged', null);
      return drawn;
    },
    resetSkips: async () => {
      const count = await store.reviews.resetSkips(reviewer(), Date.now());
      if (count > 0) service.events.emit('queuesChanged', null);
      return count;
    },
    judgeOne: async ({ image, text }, { signal }) => {
      const { row, sent, prescreen, timingMs } = await judgeOne(await judging(), await pathOf(image), text, signal);
      const { label, lean, confidence, grade, adjusted, caps, reason, explanation } = row;
      return { label, lean, confidence, grade, p: adjusted, caps, reason, explanation, sent, prescreen, timingMs };
    },
    keep: async ({ image, text }, { signal }) => {
      const kept = await keepCheck(store, await judging(), await pathOf(image), text, signal);
      service.events.emit('statementsChanged');
      service.events.emit('queuesChanged', [kept.photoId]);
      return kept;
    },
  };
};

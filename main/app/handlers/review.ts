import type { Handlers } from '../../contract/api.ts';
import { safeOutput } from '../../export/guard.ts';
import { failWith } from '../../failure.ts';
import { judgeOne } from '../../judging/judge-one.ts';
import { keepCheck } from '../../review/keep.ts';
import { writeReviewLog } from '../../review/review-log.ts';
import { trailEntry } from '../../review/trail.ts';
import { readPolicy } from '../../verdicts/local-policy.ts';
import type { AppService } from '../app-service.ts';

type Image = Parameters<Handlers['review']['judgeOne']>[0]['image'];

export type ReviewShell = Readonly<{
  /** Where to write the audit trail; null when the dialog was closed. */
  pickPlaceForLog: (name: string) => Promise<string | null>;
}>;

export const reviewHandlers = (service: AppService, shell: ReviewShell): Handlers['review'] => {
  const { store, reviews } = service;
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
      const how = { blind, ...(tookMs !== undefined && { tookMs }) };
      return (await reviews.decide(verdictIds, decision, how)).map(trailEntry);
    },
    undo: async ({ steps }) => {
      const { decisions, flags } = await reviews.undo(steps);
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
      const these = targets.map(({ photoId: photo, statementId }) => ({ photo, statementId }));
      await reviews.flag(these, set, reason);
      return null;
    },
    flags: async ({ photoId }) =>
      (await store.flags.list(photoId)).map(({ reason, by, at, statementId, set }) => ({
        ...{ reason, by, at, statementId, set },
        wholePhoto: statementId === null,
      })),
    drawAudit: ({ count }) => reviews.drawAudit(count),
    resetSkips: () => reviews.resetSkips(),
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

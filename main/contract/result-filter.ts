/** Which photos the results screen shows, and in which order. */
import { z } from 'zod';
import { id, ref } from './ids.ts';
import { gradeSchema, labelSchema } from './labels.ts';

const day = z.iso.date();

/** All given conditions hold for at least one pair of a photo; an empty list means any. */
export const resultFilterSchema = z
  .strictObject({
    setId: ref.optional(),
    statementIds: z.array(id).max(1000).optional(),
    /** Effective labels. */
    labels: z.array(labelSchema).optional(),
    grades: z.array(gradeSchema).optional(),
    folderId: ref.optional(),
    wantsReview: z.boolean().optional(),
    /** Readable only in part. */
    damaged: z.boolean().optional(),
    /** Part of a path, without regard to case. */
    text: z.string().max(500).optional(),
    /** Days by the camera's own clock, both included; photos that say no time are left out. */
    takenFrom: day.optional(),
    takenTo: day.optional(),
    camera: z.string().min(1).max(200).optional(),
    /** Whether a photo says where it was taken. */
    hasGps: z.boolean().optional(),
    /** Width times height, at least. */
    minPixels: z.int().min(1).optional(),
    /** Photos that look like this one, itself included. */
    similarTo: id.optional(),
    /** Photos that fit a text, by cached evidence; `likely`: only those that probably do, as the pack has it. */
    fits: z
      .strictObject({ text: z.string().trim().min(1).max(500), likely: z.boolean() })
      .readonly()
      .optional(),
  })
  .readonly();
export type ResultFilter = z.infer<typeof resultFilterSchema>;

/** `confidence` sorts by the matching pairs' highest; photos without one come last. `fit`: only with a text to fit. */
export const resultSortSchema = z
  .strictObject({
    by: z.enum(['path', 'takenAt', 'judgedAt', 'confidence', 'fit']),
    direction: z.enum(['ascending', 'descending']),
  })
  .readonly();
export type ResultSort = z.infer<typeof resultSortSchema>;

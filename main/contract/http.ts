/** What the local server takes and says besides the documents of contract/cli.ts. */
import { z } from 'zod';
import { gradeSchema, labelSchema } from './labels.ts';

const longestStatement = 10_000;

/** `POST /v1/judge`. The photo is sent as base64 in `image`, or named by `path`: a file of the server's machine. */
export const judgeRequestSchema = z
  .strictObject({
    statement: z.string().min(1).max(longestStatement),
    image: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
  })
  .refine(({ image, path }) => (image === undefined) !== (path === undefined), {
    message: 'give either image or path',
  });
export type JudgeRequest = z.infer<typeof judgeRequestSchema>;

/** The query of `GET /v1/verdicts`: the filters of `vouch verdicts`. */
export const verdictsQuerySchema = z.strictObject({
  label: labelSchema.optional(),
  grade: gradeSchema.optional(),
  statement: z.string().min(1).optional(),
  path: z.string().min(1).optional(),
  wantsReview: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  limit: z.coerce.number().pipe(z.int().positive()).default(100),
});
export type VerdictsQuery = z.infer<typeof verdictsQuerySchema>;

/** Whatever is not answered. `code` is what to program against, `message` an English sentence. */
export const problemDocumentSchema = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string() }),
});
export type ProblemDocument = z.infer<typeof problemDocumentSchema>;

/**
 * Reasons are data: a code and its parameters. The command line and the renderer put them into
 * words, so that they translate. One code per thing a person can act on.
 */
import { z } from 'zod';

const reason = <C extends string, P extends z.ZodRawShape>(code: C, params: P) =>
  z.object({ code: z.literal(code), params: z.object(params).readonly() }).readonly();

/** A named thing that a model saw, with its score in [0, 1]. */
const seen = z.object({ name: z.string(), score: z.number().min(0).max(1) }).readonly();

export const verdictReasonSchema = z.discriminatedUnion('code', [
  reason('seen', { concept: z.string(), evidence: z.array(seen).readonly() }),
  reason('not_seen', { concept: z.string(), evidence: z.array(seen).readonly() }),
  reason('unsure', { concept: z.string(), evidence: z.array(seen).readonly() }),
  reason('words_not_checked', { words: z.array(z.string()).readonly(), evidence: z.array(seen).readonly() }),
  reason('concept_unknown', { words: z.array(z.string()).readonly() }),
  reason('small_object', { concept: z.string() }),
  reason('look_alike', { concept: z.string(), evidence: z.array(seen).readonly() }),
  reason('person_not_checked', { concept: z.string() }),
  reason('count_not_reached', { concept: z.string(), wanted: z.number(), found: z.number() }),
  reason('count_uncertain', { concept: z.string(), wanted: z.number(), found: z.number() }),
  reason('out_of_domain', { evidence: z.array(seen).readonly() }),
  reason('nothing_to_check', {}),
  reason('not_all_checked', { cut: z.array(z.string()).readonly() }),
  reason('language_unsupported', { language: z.string() }),
  reason('flat', { standardDeviation: z.number() }),
  reason('timed_out', { limitMs: z.number() }),
  reason('model_score', {}),
]);
export type VerdictReason = z.infer<typeof verdictReasonSchema>;
export type Seen = z.infer<typeof seen>;

/** A limit on one side of p: the mass of `side` above `limit` goes to maybe, and that side is never decided. */
export const capSchema = z
  .object({ side: z.enum(['yes', 'no']), limit: z.number().min(0).max(1), reason: verdictReasonSchema })
  .readonly();
export type Cap = z.infer<typeof capSchema>;

/** Why a verdict came out as it did: what was looked for, what was found, what could not be checked. */
export const explanationSchema = z
  .object({
    concepts: z
      .array(
        z
          .object({
            words: z.string(),
            concept: z.string(),
            negated: z.boolean(),
            p: z.number().min(0).max(1).nullable(),
            evidence: z.array(seen.unwrap().extend({ source: z.enum(['classifier', 'detector', 'model']) })).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    notChecked: z.array(z.string()).readonly(),
  })
  .readonly();
export type Explanation = z.infer<typeof explanationSchema>;

/** Words of a text that photos are checked for; `negated`: for their not being there. */
export type LookedFor = Readonly<{ words: string; negated: boolean }>;

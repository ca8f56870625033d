/** Statement sets as people write them in YAML, and what becomes of a statement before a model reads it. */
import { z } from 'zod';

/** The set of statements that were written in passing and never put into another. */
export const adhocSet = 'adhoc';

const threshold = z.number().min(0.5).max(1);

export const statementEntrySchema = z.strictObject({
  text: z.string().trim().min(1).max(2000),
  tag: z.string().trim().min(1).max(200).optional(),
  yes: threshold.optional(),
  no: threshold.optional(),
  flag: z.enum(['yes', 'no']).optional(),
  note: z.string().max(2000).optional(),
});
export type StatementEntry = z.infer<typeof statementEntrySchema>;

export const statementSetSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  statements: z.array(statementEntrySchema).min(1).max(1000),
});
export type StatementSet = z.infer<typeof statementSetSchema>;

/** What is sent to a model for one statement: 1 to 3 parts joined by AND, and what was taken out or cut. */
const normalisedStatementSchema = z
  .object({
    parts: z.array(z.string()).min(1).max(3).readonly(),
    removed: z.array(z.string()).readonly(),
    replaced: z.array(z.object({ from: z.string(), to: z.string() }).readonly()).readonly(),
    /** Text that was cut off (a fourth part, tokens beyond the pack's limit); anything here caps YES. */
    cut: z.array(z.string()).readonly(),
    tokens: z.number(),
    language: z.string(),
  })
  .readonly();
export type NormalisedStatement = z.infer<typeof normalisedStatementSchema>;

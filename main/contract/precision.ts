/** What `auto` precision means on a machine, and how that was found. */
import { z } from 'zod';
import { precisionSchema } from './labels.ts';

/** One precision in a trial: photos a second, and the share of labels that are those of fp32. */
const precisionTrialSchema = z
  .strictObject({
    precision: precisionSchema,
    perSecond: z.number().nonnegative(),
    agreement: z.number().min(0).max(1),
  })
  .readonly();
export type PrecisionTrial = z.infer<typeof precisionTrialSchema>;

/** `pairs`: how many labels were compared; `at`: UTC milliseconds. */
export const precisionChoiceSchema = z
  .strictObject({
    precision: precisionSchema,
    trials: z.array(precisionTrialSchema).readonly(),
    pairs: z.int().nonnegative(),
    at: z.int(),
  })
  .readonly();
export type PrecisionChoice = z.infer<typeof precisionChoiceSchema>;

/** Why the engine runs the precision it runs. */
export type PrecisionReason =
  | Readonly<{ code: 'asked'; params: Readonly<Record<string, never>> }>
  /** `auto` is fp32 until a trial on this machine says otherwise. */
  | Readonly<{ code: 'not_measured'; params: Readonly<Record<string, never>> }>
  | Readonly<{ code: 'measured'; params: PrecisionChoice }>;

/** The numbers that models/tools/fit.ts finds, as they stand in the pack's fit.json. */
import { z } from 'zod';
import { featureNames, probeKinds, weightVector } from './presence.ts';

const weights = z.partialRecord(z.enum(featureNames), z.number());

export const fittedSchema = z.object({
  /** Weights of the presence logistics, a set for each kind of concept. */
  presence: z.record(z.enum(probeKinds), weights),
  /** Scene heads: see scenes.ts. */
  scenes: z.record(z.string(), z.object({ bias: z.number(), weights: z.record(z.string(), z.number()) })),
  /** Scores from which a box counts as sure, and as possible. */
  counts: z.object({ sure: z.number(), possible: z.number() }),
});
export type Fitted = z.infer<typeof fittedSchema>;
export type PresenceWeights = Readonly<Record<(typeof probeKinds)[number], Float64Array>>;

export const presenceWeights = (fitted: Fitted): PresenceWeights =>
  Object.fromEntries(probeKinds.map((kind) => [kind, weightVector(fitted.presence[kind])])) as PresenceWeights;

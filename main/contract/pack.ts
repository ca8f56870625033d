/** `vouch.json`: the manifest of a model pack. */
import { z } from 'zod';
import { labelSchema, precisionSchema } from './labels.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What one input size costs in memory, and the largest batch it was measured with. */
const packInputSchema = z.strictObject({
  size: z.int().positive(),
  maxBatch: z.int().positive(),
  baseBytes: z.int().nonnegative().optional(),
  bytesPerSample: z.int().positive().optional(),
});
export type PackInput = z.infer<typeof packInputSchema>;

export const packManifestSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  version: z.string(),
  licence: z.string(),
  adapter: z.string(),
  languages: z.array(z.string()).min(1),
  /** In the order of the pack's own answers: the first logit is that of the first label. */
  labels: z.array(labelSchema).refine((names) => new Set(names).size === names.length, 'names a label twice'),
  /** What a statement is put into before the pack's tokenizer reads it. */
  promptTemplate: z
    .string()
    .refine((template) => template.includes('{statement}'), 'has no {statement}')
    .default('{statement}'),
  maxTokens: z.int().positive().default(32),
  inputs: z.array(packInputSchema).min(1),
  thresholds: z.strictObject({ yes: z.number().min(0).max(1), no: z.number().min(0).max(1) }).optional(),
  precisions: z.array(precisionSchema).min(1),
  sha256: z.record(z.string(), sha256),
});
export type PackManifest = z.infer<typeof packManifestSchema>;

/** A pack as it was found on disk: its folder, its manifest and the SHA-256 of the manifest's bytes, which pins it. */
export type Pack = Readonly<{ dir: string; manifest: PackManifest; sha256: string }>;

/** The words of a verdict: labels, grades and probabilities. */
import { z } from 'zod';

export const labels = ['yes', 'no', 'maybe'] as const;
export const labelSchema = z.enum(labels);
export type Label = z.infer<typeof labelSchema>;

export const grades = ['high', 'medium', 'low'] as const;
export const gradeSchema = z.enum(grades);
export type Grade = z.infer<typeof gradeSchema>;

/** Three probabilities in [0, 1] that sum to 1 within 1e-6. */
export const probabilitiesSchema = z
  .object({ yes: z.number().min(0).max(1), no: z.number().min(0).max(1), maybe: z.number().min(0).max(1) })
  .readonly();
export type Probabilities = z.infer<typeof probabilitiesSchema>;

export const precisions = ['fp32', 'fp16', 'bf16', 'int8'] as const;
export const precisionSchema = z.enum(precisions);
export type Precision = z.infer<typeof precisionSchema>;

export const devices = ['cpu', 'webgpu', 'cuda', 'tensorrt', 'dml', 'coreml'] as const;
export const deviceSchema = z.enum(devices);
export type Device = z.infer<typeof deviceSchema>;
/** Why a device is not even tried: the runtime was built without it, or what it loads for it is not there. */
export type MissingCause = 'no_backend' | 'no_libraries';
/** A device that cannot be used, and why; without `cause` the reason is in the runtime's own words. */
export type PassedOver = Readonly<{ device: Device; reason: string; cause?: MissingCause }>;

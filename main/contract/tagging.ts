/** Whether, and where, photos of a folder are tagged with what their verdicts say. */
import { z } from 'zod';

/** `vouch`: in the database only; `xmp`: in sidecar files beside the photos too. */
export const taggingModes = ['off', 'vouch', 'xmp'] as const;
export const taggingSchema = z.enum(taggingModes);
export type Tagging = z.infer<typeof taggingSchema>;

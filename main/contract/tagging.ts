/** Whether, and where, photos of a folder are tagged with what their verdicts say. */
import { z } from 'zod';

/** `vouch`: in the database only; `xmp`: in sidecar files beside the photos too. */
export const taggingModes = ['off', 'vouch', 'xmp'] as const;
export const taggingSchema = z.enum(taggingModes);
export type Tagging = z.infer<typeof taggingSchema>;

/** A tag that Vouch set on a photo at one of its paths; `sidecar`: the file that carries it, null where it is in Vouch only. */
export type PhotoTag = Readonly<{ tag: string; path: string; sidecar: string | null }>;

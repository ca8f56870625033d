import { z } from 'zod';

/** Of a photo, a statement, a verdict or a run. */
export const id = z.uuid();
/** Of a folder, a set or a quarantined file: opaque to the window. */
export const ref = z.string().min(1).max(4096);

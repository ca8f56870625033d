/** What `bench` measured, as it is kept in VOUCH_HOME and shown on the engine screen. */
import { z } from 'zod';
import { benchDocumentSchema } from './cli.ts';
import { deviceSchema, precisionSchema } from './labels.ts';

/** One measurement of a pack on a machine's device; `at`: UTC milliseconds. */
export const benchRecordSchema = z
  .strictObject({
    machine: z.string(),
    packId: z.string(),
    packSha256: z.string(),
    device: deviceSchema,
    precision: precisionSchema,
    at: z.int(),
    tables: benchDocumentSchema,
  })
  .readonly();
export type BenchRecord = z.infer<typeof benchRecordSchema>;

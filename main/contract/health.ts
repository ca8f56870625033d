/** What a look at everything that judging needs comes to: data, put into words by main/words. */
import { z } from 'zod';
import type { VouchError } from './errors.ts';
import { precisionSchema } from './labels.ts';

const text = z.string();
const count = z.number();
const nothing = z.strictObject({});
const atPath = z.strictObject({ path: text });

/** What was found. */
export const healthFindings = {
  runtime: z.strictObject({ version: text, platform: text, arch: text }),
  home: atPath,
  home_unwritable: atPath,
  disk: z.strictObject({ freeBytes: count }),
  database: z.strictObject({ photos: count, pairs: count, schema: text }),
  database_none: nothing,
  database_damaged: z.strictObject({ problems: z.array(text).readonly() }),
  pack: z.strictObject({ id: text, version: text, sha256: text }),
  pack_changed: z.strictObject({
    files: z.array(z.strictObject({ file: text, problem: z.enum(['missing', 'changed']) }).readonly()).readonly(),
  }),
  device: z.strictObject({
    requested: text,
    used: text,
    index: count,
    nodesOnDevice: count,
    nodesInAll: count,
    probeMs: count,
    agreesWithCpu: z.boolean(),
    precision: precisionSchema,
    precisionReason: z.enum(['asked', 'not_measured', 'measured']),
    runtime: text,
    passedOver: z.array(z.strictObject({ device: text, reason: text }).readonly()).readonly(),
    fallbackReason: text.nullable(),
  }),
  watches: z.strictObject({ limit: count }),
  watches_few: z.strictObject({ limit: count }),
  watches_unlimited: nothing,
  watches_unknown: nothing,
  /** The look itself failed. */
  failed: z.strictObject({ error: z.custom<VouchError>() }),
} as const;

/** What to do about it. */
export const healthFixes = {
  choose_home: nothing,
  free_space: nothing,
  restore_backup: nothing,
  close_or_restore: nothing,
  /** `known`: the packs that there are; `folder`: where more may be put. */
  choose_pack: z.strictObject({ known: z.array(text).readonly(), folder: text }),
  replace_pack: nothing,
  mend_device: nothing,
  try_cpu: nothing,
  reinstall: nothing,
  raise_watches: nothing,
} as const;

type Coded<Table extends Readonly<Record<string, z.ZodType>>> = {
  [C in keyof Table & string]: Readonly<{ code: C; params: Readonly<z.infer<Table[C]>> }>;
}[keyof Table & string];
export type HealthFinding = Coded<typeof healthFindings>;
export type HealthFix = Coded<typeof healthFixes>;

/** `fix` is null where nothing is wrong. */
export type HealthCheck = Readonly<{
  name: 'runtime' | 'home' | 'disk' | 'database' | 'model' | 'device' | 'watching';
  ok: boolean;
  detail: HealthFinding;
  fix: HealthFix | null;
}>;

/**
 * What a user's own audit has set for a pack: risk control's thresholds and a calibration. Kept in the store, by the
 * pack's hash, since both were measured on that pack.
 */
import { z } from 'zod';
import type { Pack } from '../contract/pack.ts';
import type { RiskPlan } from '../contract/review.ts';
import { type LocalPolicy, type PolicyStamp, policyVersion, sameStamp } from '../policy/policy.ts';
import type { Store } from '../store/types.ts';
import type { Rescorer } from './rescore.ts';

/**
 * `revision` grows with each change. `appliedStamp`: every stored verdict has been decided under a policy of this stamp,
 * or would be no other under it; null where that is not known.
 */
export type PolicyRecord = LocalPolicy &
  Readonly<{ revision: number; plan: RiskPlan | null; appliedStamp: PolicyStamp | null }>;

const share = z.number().min(0).max(1);
const thresholds = z.object({ yes: share, no: share });
const calibration = z.object({ slope: z.number().positive(), offset: z.number() });
const shareView = z.object({ value: z.number(), low: z.number(), high: z.number(), of: z.number() });
const recordSchema = z.object({
  revision: z.int().nonnegative(),
  appliedStamp: z.object({ version: z.int(), revision: z.int().nonnegative() }).nullable(),
  riskControl: thresholds.nullable(),
  calibrations: z.object({ pack: calibration, statements: z.record(z.string(), calibration) }).nullable(),
  plan: z
    .object({
      target: z.number(),
      reviews: z.int(),
      missing: z.int(),
      thresholds: thresholds.nullable(),
      decided: shareView.nullable(),
      error: shareView.nullable(),
      unkept: z.null().default(null),
    })
    .nullable(),
});

export const noPolicy: PolicyRecord = {
  revision: 0,
  appliedStamp: null,
  riskControl: null,
  calibrations: null,
  plan: null,
};

const nameOf = (packSha256: string): string => `policy ${packSha256}`;

export const readPolicy = async (store: Store, packSha256: string): Promise<PolicyRecord> => {
  const found = recordSchema.safeParse(await store.settings.get(nameOf(packSha256)));
  return found.success ? found.data : noPolicy;
};

export const writePolicy = (store: Store, packSha256: string, record: PolicyRecord): Promise<void> =>
  store.settings.set(nameOf(packSha256), record);

/** Of verdicts that are decided now. */
export const policyStamp = ({ revision }: Pick<PolicyRecord, 'revision'>): PolicyStamp => ({
  version: policyVersion,
  revision,
});

export const isApplied = (record: PolicyRecord): boolean =>
  record.appliedStamp !== null && sameStamp(record.appliedStamp, policyStamp(record));

/** Has the rescorer decide as the store's policy says. */
export const followPolicy = async (
  store: Store,
  { pack, rescorer }: Readonly<{ pack: Pack; rescorer: Rescorer }>,
): Promise<PolicyRecord> => {
  const policy = await readPolicy(store, pack.sha256);
  rescorer.usePolicy(policy);
  return policy;
};

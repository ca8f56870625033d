/** Sets risk control from the audit, and decides what is stored again under it. */
import { vouchError } from '../contract/error.ts';
import type { RiskPlan } from '../contract/review.ts';
import type { Judging } from '../core.ts';
import { VouchFailure } from '../failure.ts';
import type { Store } from '../store/types.ts';
import { planPolicy } from '../verdicts/audit-policy.ts';
import { noPolicy, type PolicyRecord, policyStamp, readPolicy, writePolicy } from '../verdicts/local-policy.ts';

/** Verdicts of one request to the store: few enough that others do not wait for long. */
const stretch = 5000;

export const riskPlan = async (store: Store, { pack }: Judging, target: number): Promise<RiskPlan> =>
  planPolicy(await store.quality.audited(pack.sha256), target).plan;

/** Decides everything of the pack again; `onProgress` hears how many verdicts have been looked at and changed. */
const decideAgain = async (
  store: Store,
  { pack }: Judging,
  policy: PolicyRecord,
  onProgress: (seen: number, changed: number) => void,
): Promise<void> => {
  const { riskControl, calibrations } = policy;
  let after: number | null = 0;
  let [seen, changed] = [0, 0];
  while (after !== null) {
    const done: Awaited<ReturnType<Store['verdicts']['redecide']>> = await store.verdicts.redecide({
      packSha256: pack.sha256,
      policyVersion: policyStamp(policy),
      policy: { riskControl, calibrations },
      packThresholds: pack.manifest.thresholds,
      after,
      limit: stretch,
    });
    seen += done.seen;
    changed += done.changed;
    onProgress(seen, changed);
    after = done.after;
  }
  await writePolicy(store, pack.sha256, { ...policy, applied: true });
};

/**
 * Sets the error accepted for automatic decisions; null ends risk control. What is stored is decided again without
 * inference. Fails where the audit has too few reviews, or shows that no threshold keeps the error.
 */
export const setRisk = async (
  store: Store,
  judging: Judging,
  target: number | null,
  onProgress: (seen: number, changed: number) => void = () => undefined,
): Promise<PolicyRecord> => {
  const { sha256 } = judging.pack;
  const { revision } = await readPolicy(store, sha256);
  const next = { ...noPolicy, revision: revision + 1, applied: false };
  let policy: PolicyRecord = next;
  if (target !== null) {
    const { plan, calibrations } = planPolicy(await store.quality.audited(sha256), target);
    if (plan.missing > 0) throw new VouchFailure(vouchError('audit_needed', { missing: plan.missing }));
    if (!plan.thresholds) throw new VouchFailure(vouchError('risk_not_kept', { target }));
    policy = { ...next, riskControl: plan.thresholds, calibrations, plan };
  }
  await writePolicy(store, sha256, policy);
  judging.rescorer.usePolicy(policy);
  await decideAgain(store, judging, policy, onProgress);
  return policy;
};

/** Finishes what a process that ended had left undone, and has the rescorer decide as the store's policy says. */
export const resumePolicy = async (store: Store, judging: Judging): Promise<PolicyRecord> => {
  const policy = await readPolicy(store, judging.pack.sha256);
  judging.rescorer.usePolicy(policy);
  if (!policy.applied) await decideAgain(store, judging, policy, () => undefined);
  return policy;
};

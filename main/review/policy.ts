/** Sets risk control from the audit, and decides what is stored again under it. */

import { vouchError } from '../contract/errors.ts';
import type { Pack } from '../contract/pack.ts';
import type { DecidingProgress, RiskPlan } from '../contract/review.ts';
import { VouchFailure } from '../failure.ts';
import type { Judging } from '../judging/judging.ts';
import { planPolicy } from '../policy/audit-policy.ts';
import type { RedecidePlace, Store } from '../store/types.ts';
import {
  isApplied,
  noPolicy,
  type PolicyRecord,
  policyStamp,
  readPolicy,
  writePolicy,
} from '../verdicts/local-policy.ts';

/** Verdicts of one request to the store: few enough that others do not wait for long. */
const atOnce = 2000;

export const riskPlan = async (store: Store, { pack }: Judging, target: number): Promise<RiskPlan> =>
  planPolicy(await store.quality.audited(pack.sha256), target).plan;

type DecidedBy = Pick<Pack, 'sha256'> & Readonly<{ manifest: Pick<Pack['manifest'], 'thresholds'> }>;
export type Deciding = Readonly<{
  signal?: AbortSignal;
  onProgress?: (progress: DecidingProgress) => void;
}>;

/** Time that it takes to tell how long the rest will take. */
const warmUpMs = 1000;

/** Decides everything of the pack again under a policy that is in force already. False where the signal stopped it. */
const decideAgain = async (
  store: Store,
  pack: DecidedBy,
  policy: PolicyRecord,
  { signal, onProgress }: Deciding = {},
  goingBack = false,
): Promise<boolean> => {
  const { riskControl, calibrations } = policy;
  const stamp = policyStamp(policy);
  const startedAt = performance.now();
  const total = await store.verdicts.countDecidedOtherwise(pack.sha256, stamp);
  let done = 0;
  for (let after: RedecidePlace | null = [0, 0]; after !== null; ) {
    if (signal?.aborted) return false;
    const stretch: Awaited<ReturnType<Store['verdicts']['redecide']>> = await store.verdicts.redecide({
      packSha256: pack.sha256,
      stamp,
      policy: { riskControl, calibrations },
      packThresholds: pack.manifest.thresholds,
      after,
      limit: atOnce,
    });
    done = Math.min(total, done + stretch.seen);
    after = stretch.after;
    const elapsed = performance.now() - startedAt;
    const etaMs = elapsed < warmUpMs || done === 0 ? null : ((total - done) * elapsed) / done;
    onProgress?.({ done, total, etaMs, goingBack });
  }
  await writePolicy(store, pack.sha256, { ...policy, appliedStamp: stamp });
  return true;
};

const putInForce = async (store: Store, { pack, rescorer }: Judging, policy: PolicyRecord): Promise<PolicyRecord> => {
  await writePolicy(store, pack.sha256, policy);
  // biome-ignore lint/correctness/useHookAtTopLevel: the rescorer's own; no hook of React's
  rescorer.usePolicy(policy);
  return policy;
};

/**
 * Sets the error accepted for automatic decisions; null ends risk control. What is stored is decided again without
 * inference, a few thousand at a time; a process that ends meanwhile leaves the rest to `resumeDeciding`. Gives the
 * policy in force: where the signal stopped it, the one before, with everything brought back. Fails where the audit has
 * too few reviews, or shows that no threshold keeps the error.
 */
export const setRisk = async (
  store: Store,
  judging: Judging,
  target: number | null,
  deciding: Deciding = {},
): Promise<PolicyRecord> => {
  const { sha256 } = judging.pack;
  const former = await readPolicy(store, sha256);
  const next = { ...noPolicy, revision: former.revision + 1 };
  let policy: PolicyRecord = next;
  if (target !== null) {
    const { plan, calibrations } = planPolicy(await store.quality.audited(sha256), target);
    if (plan.missing > 0) throw new VouchFailure(vouchError('audit_needed', { missing: plan.missing }));
    if (!plan.thresholds) throw new VouchFailure(vouchError('risk_not_kept', { target }));
    policy = { ...next, riskControl: plan.thresholds, calibrations, plan };
  }
  await putInForce(store, judging, policy);
  if (await decideAgain(store, judging.pack, policy, deciding)) return policy;
  const back = await putInForce(store, judging, { ...former, revision: next.revision + 1 });
  const { onProgress } = deciding;
  await decideAgain(store, judging.pack, back, onProgress ? { onProgress } : {}, true);
  return back;
};

/**
 * Decides again, for each of these packs, what is stored under another policy than the one in force: since a process
 * that ended had left it undone, or since this Vouch decides by other rules than the one that stored it. Whoever opens a
 * store for writing calls it. Where the signal stops it, the rest is left to the next time. Tells whether there was
 * anything to do.
 */
export const resumeDeciding = async (
  store: Store,
  packs: readonly DecidedBy[],
  deciding: Deciding = {},
): Promise<boolean> => {
  let any = false;
  for (const pack of packs) {
    const policy = await readPolicy(store, pack.sha256);
    if (isApplied(policy)) continue;
    const stamp = policyStamp(policy);
    if ((await store.verdicts.countDecidedOtherwise(pack.sha256, stamp)) === 0) {
      await writePolicy(store, pack.sha256, { ...policy, appliedStamp: stamp });
      continue;
    }
    any = true;
    if (!(await decideAgain(store, pack, policy, deciding))) break;
  }
  return any;
};

import { describe, expect, it } from 'vitest';
import type { DecidingProgress } from '../../../main/contract/review.ts';
import type { Judging as OpenedJudging } from '../../../main/judging/judging.ts';
import { type LocalPolicy, policyVersion } from '../../../main/policy/policy.ts';
import { resumeDeciding, setRisk } from '../../../main/review/policy.ts';
import { qualityView } from '../../../main/review/quality.ts';
import type { RedecidePlace, RedecideRequest, Store } from '../../../main/store/types.ts';
import { policyStamp, readPolicy, writePolicy } from '../../../main/verdicts/local-policy.ts';
import { dogs, judged, judging, listByPath, open, sha, verdict } from './open.ts';

const packSha256 = sha('pack');

/** A pack whose rescorer keeps what it was told; nothing here judges. */
const openedPack = () => {
  const used: LocalPolicy[] = [];
  const pack = { dir: '', sha256: packSha256, manifest: { id: 'concept-en', inputs: [{ size: 224, maxBatch: 1 }] } };
  const rescorer = { pack: { kind: 'joint' }, usePolicy: (policy: LocalPolicy) => void used.push(policy) };
  return { opened: { pack, rescorer } as unknown as OpenedJudging, used };
};

const confidences = Array.from({ length: 120 }, (_, i) => 0.5 + (i % 50) / 100);
/** "a dog" on 120 photos, undecided below .75; right at and above .7. */
const filled = async (): Promise<Store> => {
  const store = await open();
  const [dog] = await dogs(store);
  const files = confidences.map((confidence, i) => {
    const label = confidence >= 0.75 ? 'yes' : 'maybe';
    const p = { yes: confidence, no: 1 - confidence, maybe: 0 };
    const grade = confidence >= 0.92 ? 'high' : confidence >= 0.75 ? 'medium' : 'low';
    const near = Math.abs(confidence - 0.75) < 0.1;
    const made = { p, lean: 'yes', confidence, grade, wantsReview: grade !== 'high', near } as const;
    return judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, label, made)]);
  });
  for (let from = 0; from < files.length; from += 10) {
    await store.photos.recordJudged(judging(), files.slice(from, from + 10));
  }
  return store;
};

/** Reviews the whole audit blind: a pair is yes where its confidence is at least .7. */
const reviewAudit = async (store: Store, count: number): Promise<void> => {
  await store.queues.draw(count, Date.now());
  const { items } = await store.queues.page({
    queue: 'audit',
    scope: {},
    order: 'uncertain',
    cursor: null,
    limit: 500,
  });
  for (const { verdictId, confidence } of items) {
    const label = confidence! >= 0.7 ? 'yes' : 'no';
    const review = { kind: 'override', label, reviewer: 'Ann', blind: true, tookMs: 1500, at: 2 } as const;
    await store.reviews.add([{ verdict: verdictId }], review);
  }
};

const verdicts = async (store: Store) =>
  (await listByPath(store)).map(({ path, label, confidence, at }) => ({
    path,
    label,
    confidence,
    at,
  }));

describe('deciding stored verdicts again', () => {
  const request = (policy: LocalPolicy, after: RedecidePlace, limit: number): RedecideRequest => ({
    ...{ packSha256, stamp: { version: policyVersion, revision: 1 }, policy, packThresholds: undefined, after, limit },
  });

  it('goes stretch by stretch, appends what changes and keeps everything else as it was', async () => {
    const store = await filled();
    const before = await verdicts(store);
    const policy = { riskControl: { yes: 0.6, no: 0.6 }, calibrations: null };
    let [seen, changed, stretches] = [0, 0, 0];
    for (let after: RedecidePlace | null = [0, 0]; after !== null; stretches += 1) {
      const done = await store.verdicts.redecide(request(policy, after, 25));
      [seen, changed, after] = [seen + done.seen, changed + done.changed, done.after];
    }
    expect(seen).toBe(120);
    expect(stretches).toBe(5);
    const expected = before.map((row) => ({ ...row, label: row.confidence! >= 0.6 ? 'yes' : 'maybe' }));
    expect(await verdicts(store)).toEqual(expected);
    expect(changed).toBeGreaterThan(0);
    expect((await store.upkeep.check()).problems).toEqual([]);
    // The same policy again finds nothing left to change, and its end brings all back.
    expect(await store.verdicts.redecide(request(policy, [0, 0], 1000))).toMatchObject({ changed: 0, after: null });
    const back = request({ riskControl: null, calibrations: null }, [0, 0], 1000);
    await store.verdicts.redecide({ ...back, stamp: { version: policyVersion, revision: 2 } });
    expect(await verdicts(store)).toEqual(before);
  });

  it('leaves decisions standing, and is no new verdict that could disagree with them', async () => {
    const store = await filled();
    const { items } = await store.verdicts.list({ label: 'yes' }, { limit: 1 });
    await store.reviews.add([{ verdict: items[0]!.id }], { kind: 'override', label: 'no', reviewer: 'Ann', at: 1 });
    await store.verdicts.redecide(request({ riskControl: { yes: 0.99, no: 0.99 }, calibrations: null }, [0, 0], 1000));
    expect((await listByPath(store)).find(({ id }) => id === items[0]!.id) ?? { effectiveLabel: 'no' }).toMatchObject({
      effectiveLabel: 'no',
    });
    const { queues } = await store.queues.counts({});
    expect(queues.find(({ name }) => name === 'disagreements')?.count).toBe(0);
    expect(await store.verdicts.countByLabel()).toMatchObject({ no: 1 });
  });
});

describe('risk control from an audit', () => {
  it('says how many reviews are missing, then sets thresholds and decides again', async () => {
    const store = await filled();
    const { opened, used } = openedPack();
    await reviewAudit(store, 40);
    await expect(setRisk(store, opened, 0.05)).rejects.toMatchObject({
      error: { code: 'audit_needed', params: { missing: 5 } },
    });
    await reviewAudit(store, 80);
    const policy = await setRisk(store, opened, 0.1);
    const { yes } = policy.riskControl!;
    expect(yes).toBeLessThan(0.75);
    expect(used.at(-1)).toMatchObject({ riskControl: { yes } });
    const labels = (await verdicts(store)).filter(({ confidence }) => confidence! >= yes);
    expect(labels.every(({ label }) => label === 'yes')).toBe(true);
    expect(await readPolicy(store, packSha256)).toMatchObject({ revision: 1, appliedStamp: policyStamp(policy) });
    expect(policyStamp(policy)).toEqual({ version: policyVersion, revision: 1 });

    const view = await qualityView(store, opened);
    expect(view).toMatchObject({
      audit: { reviews: 120, waiting: 0 },
      risk: { target: 0.1, thresholds: { yes } },
      speed: { medianMs: 1500, perHour: 2400 },
      agreement: [{ day: '1970-01-01', reviews: 120 }],
      calibrations: [],
    });
    expect(view.reliability?.bins.reduce((sum, { size }) => sum + size, 0)).toBe(120);
    const [dog] = view.statements;
    expect(dog).toMatchObject({ statement: 'a dog', audited: 120, recall: { of: expect.any(Number) } });
    expect(dog!.precision!.low).toBeLessThanOrEqual(dog!.precision!.value);

    await setRisk(store, opened, null);
    expect(await store.verdicts.countByLabel()).toMatchObject({ yes: expect.any(Number) });
    expect(await readPolicy(store, packSha256)).toMatchObject({ revision: 2, riskControl: null, plan: null });
  });

  it('tells how far it is, and brings everything back when it is cancelled half-way', async () => {
    const store = await open();
    const { opened, used } = openedPack();
    // Three judgings of two stretches each.
    const [dog] = await dogs(store);
    for (const at of [1, 2, 3]) {
      const files = Array.from({ length: 4000 }, (_, i) => {
        const p = { yes: 0.65, no: 0.35, maybe: 0 };
        return judged(`/p/${at}/${i}.jpg`, `photo ${at} ${i}`, [verdict(dog!, 'maybe', { p, confidence: 0.65 })]);
      });
      await store.photos.recordJudged(judging({ at }), files);
    }
    const before = await store.verdicts.countByLabel();
    expect(before).toEqual({ yes: 0, no: 0, maybe: 12_000 });
    const policy = { riskControl: { yes: 0.6, no: 0.6 }, calibrations: null, plan: null };
    await writePolicy(store, packSha256, { ...policy, revision: 1, appliedStamp: null });
    const resumed: DecidingProgress[] = [];
    const telling = { onProgress: (progress: DecidingProgress) => void resumed.push(progress) };
    // As a process left it that was killed: stopped once more it waits on, then it is finished, and there is no more to do.
    const stopped = { ...telling, signal: AbortSignal.abort() };
    expect(await resumeDeciding(store, [opened.pack], stopped)).toBe(true);
    expect(await readPolicy(store, packSha256)).toMatchObject({ appliedStamp: null });
    expect(await resumeDeciding(store, [opened.pack], telling)).toBe(true);
    expect(resumed.at(-1)).toMatchObject({ done: 12_000, total: 12_000, goingBack: false });
    expect(await readPolicy(store, packSha256)).toMatchObject({
      revision: 1,
      appliedStamp: policyStamp({ revision: 1 }),
    });
    expect(await resumeDeciding(store, [opened.pack], telling)).toBe(false);
    const decided = await store.verdicts.countByLabel();
    expect(decided).toEqual({ yes: 12_000, no: 0, maybe: 0 });

    const stopping = new AbortController();
    const told: DecidingProgress[] = [];
    const onProgress = (progress: DecidingProgress) => {
      if (told.push(progress) === 1) stopping.abort();
    };
    const inForce = await setRisk(store, opened, null, { signal: stopping.signal, onProgress });
    expect(told[0]).toMatchObject({ total: 12_000, goingBack: false });
    expect(told[0]!.done).toBeLessThan(12_000);
    expect(told.filter(({ goingBack }) => !goingBack)).toHaveLength(1);
    expect(told.at(-1)).toMatchObject({ done: 12_000, goingBack: true });
    expect(inForce).toMatchObject({ ...policy, revision: 3 });
    expect(used.at(-1)).toMatchObject({ riskControl: policy.riskControl });
    expect(await readPolicy(store, packSha256)).toMatchObject({
      ...{ ...policy, revision: 3, appliedStamp: policyStamp({ revision: 3 }) },
    });
    expect(await store.verdicts.countByLabel()).toEqual(decided);
    expect((await store.upkeep.check()).problems).toEqual([]);

    await setRisk(store, opened, null);
    expect(await store.verdicts.countByLabel()).toEqual(before);
  });

  it('refuses an error that no threshold keeps', async () => {
    const store = await filled();
    const { opened } = openedPack();
    await store.queues.draw(120, Date.now());
    const { items } = await store.queues.page({
      queue: 'audit',
      scope: {},
      order: 'uncertain',
      cursor: null,
      limit: 500,
    });
    for (const { verdictId } of items) {
      const review = { kind: 'override', label: 'no', reviewer: 'Ann', blind: true, at: 2 } as const;
      await store.reviews.add([{ verdict: verdictId }], review);
    }
    await expect(setRisk(store, opened, 0.05)).rejects.toMatchObject({ error: { code: 'risk_not_kept' } });
    expect(await readPolicy(store, packSha256)).toMatchObject({ revision: 0 });
  });
});

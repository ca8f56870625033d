/** Verdicts that were stored under an older version of the policy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { policyVersion } from '../../../main/policy/policy.ts';
import { resumeDeciding } from '../../../main/review/policy.ts';
import type { Store } from '../../../main/store/types.ts';
import { policyStamp, readPolicy, writePolicy } from '../../../main/verdicts/local-policy.ts';
import { dogs, judged, judging, newHome, open, sha, verdict } from './open.ts';

const pack = { sha256: sha('pack'), manifest: {} };
const older = { version: policyVersion - 1, revision: 0 };

/** "a dog" on so many photos, yes at .65 as the older version decided. */
const decidedThen = async (store: Store, count: number): Promise<void> => {
  const [dog] = await dogs(store);
  const p = { yes: 0.65, no: 0.35, maybe: 0 };
  const files = Array.from({ length: count }, (_, i) =>
    judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, 'yes', { p, confidence: 0.65, grade: 'high' })]),
  );
  await store.photos.recordJudged(judging({ policy: older }), files);
};

it('are decided again once, however often the process that does it is killed', async () => {
  const home = newHome();
  const count = 9000;
  const store = await open(home);
  await decidedThen(store, count);
  await store.close();
  const yes: number[] = [];
  for (let kill = 0; kill < 2; kill += 1) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'decide-and-wait.ts'), home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const now = await open(home);
    expect(await readPolicy(now, pack.sha256)).toMatchObject({ appliedStamp: null });
    yes.push((await now.verdicts.countByLabel()).yes);
    await now.close();
  }
  // Each time some more of them were done.
  expect(count).toBeGreaterThan(yes[0]!);
  expect(yes[0]).toBeGreaterThan(yes[1]!);
  expect(yes[1]).toBeGreaterThan(0);

  const last = await open(home);
  const told: number[] = [];
  expect(await resumeDeciding(last, [pack], { onProgress: ({ total }) => void told.push(total) })).toBe(true);
  expect(told[0]).toBe(yes[1]);
  expect(await last.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: count });
  expect(await readPolicy(last, pack.sha256)).toMatchObject({ appliedStamp: policyStamp({ revision: 0 }) });
  // Appended once each.
  expect(await last.upkeep.figures()).toMatchObject({ verdicts: 2 * count });
  expect(await last.upkeep.check()).toEqual({ ok: true, problems: [] });
  expect(await resumeDeciding(last, [pack])).toBe(false);
}, 120_000);

it('are decided again under the risk control that is in force, which stays', async () => {
  const store = await open();
  await decidedThen(store, 20);
  const risk = { riskControl: { yes: 0.6, no: 0.6 }, calibrations: null, plan: null, revision: 4 };
  await writePolicy(store, pack.sha256, { ...risk, appliedStamp: { ...older, revision: 4 } });
  expect(await resumeDeciding(store, [pack])).toBe(true);
  expect((await store.verdicts.list({}, { limit: 1 })).items[0]).toMatchObject({
    ...{ label: 'yes', grade: 'medium', wantsReview: true },
  });
  expect(await readPolicy(store, pack.sha256)).toEqual({ ...risk, appliedStamp: policyStamp(risk) });
});

it('of a pack that is not here wait until it is', async () => {
  const store = await open();
  await decidedThen(store, 5);
  expect(await resumeDeciding(store, [{ ...pack, sha256: sha('another pack') }])).toBe(false);
  expect(await store.verdicts.countByLabel()).toEqual({ yes: 5, no: 0, maybe: 0 });
  expect(await resumeDeciding(store, [pack])).toBe(true);
  expect(await store.verdicts.countByLabel()).toEqual({ yes: 0, no: 0, maybe: 5 });
});

/** What the app does at its start about verdicts that were being decided again when it last ended. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Topic } from '../../../main/contract/channels.ts';
import { readPack } from '../../../main/packs/packs.ts';
import { policyStamp, readPolicy, writePolicy } from '../../../main/verdicts/local-policy.ts';
import { dogs, judged, judging, open, verdict } from '../store/open.ts';
import { newHome, openService, root } from './service.ts';

const patient = { timeout: 60_000 };

it('finishes them, and tells how far it is and that it is over', async () => {
  const { home, remove } = newHome();
  const { sha256: packSha256 } = readPack(join(root, 'models', 'packs', 'concept-en'));
  const store = await open(home.root);
  const [dog] = await dogs(store);
  const p = { yes: 0.65, no: 0.35, maybe: 0 };
  const files = Array.from({ length: 3000 }, (_, i) =>
    judged(`/p/${i}.jpg`, `photo ${i}`, [verdict(dog!, 'maybe', { p, confidence: 0.65 })]),
  );
  await store.photos.recordJudged(judging({ packSha256 }), files);
  const policy = {
    riskControl: { yes: 0.6, no: 0.6 },
    calibrations: null,
    plan: null,
    revision: 1,
    appliedStamp: null,
  };
  await writePolicy(store, packSha256, policy);
  await store.close();

  const told: [Topic, unknown][] = [];
  const service = await openService(home, { tell: (topic, event) => void told.push([topic, event]) });
  try {
    const deciding = () => told.flatMap(([topic, event]) => (topic === 'deciding' ? [event] : []));
    await expect.poll(() => deciding().at(-1), patient).toBe(null);
    expect(deciding().slice(0, -1)).toMatchObject([{ done: 2000, total: 3000 }, { done: 3000 }]);
    expect(await service.store.verdicts.countByLabel()).toEqual({ yes: 3000, no: 0, maybe: 0 });
    expect(await readPolicy(service.store, packSha256)).toMatchObject({ appliedStamp: policyStamp(policy) });
    await expect.poll(() => told.some(([topic]) => topic === 'review'), patient).toBe(true);
  } finally {
    await service.close();
    remove();
  }
}, 120_000);

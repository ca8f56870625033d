import { expect, it } from 'vitest';
import { killWhileAppending } from './kill.ts';
import { newHome, open } from './open.ts';

it('loses nothing that was stored when killed while writing, and has one current verdict per key', async () => {
  const home = newHome();
  for (const stored of await killWhileAppending(home, 4)) {
    expect(stored.said).toBeGreaterThan(0);
    expect(stored.found).toBeGreaterThanOrEqual(stored.said);
  }
  const store = await open(home);
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
});

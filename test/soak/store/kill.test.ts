import { expect, it } from 'vitest';
import { killWhileAppending } from '../../integration/store/kill.ts';
import { newHome, open } from '../../integration/store/open.ts';

it('survives twenty kills in the middle of writing', async () => {
  const home = newHome();
  for (const { said, found } of await killWhileAppending(home, 20)) expect(found).toBeGreaterThanOrEqual(said);
  const store = await open(home);
  expect(await store.upkeep.check()).toEqual({ ok: true, problems: [] });
});

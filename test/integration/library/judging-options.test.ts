/** What a command leaves open is as the settings of its home say; what it names goes first. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { openLibrary } from './rig.ts';

it('fills in what is left open from the settings', async () => {
  const { core, judging } = await openLibrary();
  const { model, device, precision, batch } = judging.options;
  const bare = { model, device, precision, batch, normalise: true };
  const optionsNow = async (named = {}) => {
    const opened = await core.openJudging({ ...bare, ...named });
    await opened.close();
    return opened.options;
  };
  const { ladder } = defaultSettings;
  expect(await optionsNow()).toMatchObject({ threads: 0, maxDelayMs: 8, ladder, hosts: { priority: 'normal' } });

  writeFileSync(
    core.home.settings,
    JSON.stringify({
      engine: { threads: 1, maxDelayMs: 30, hostMemoryMb: 512 },
      ladder: { pinned: 3, bulkMs: 9000 },
      prescreen: { blur: 7 },
    }),
  );
  expect(await optionsNow()).toMatchObject({
    threads: 1,
    maxDelayMs: 30,
    hosts: { priority: 'normal', hostMemoryMb: 512 },
    ladder: { ...ladder, pinned: 3, bulkMs: 9000 },
    prescreen: { blur: 7, flat: 10, small: 64 },
  });
  expect(await optionsNow({ threads: 2, prescreen: null })).toMatchObject({ threads: 2, prescreen: null });

  writeFileSync(core.home.settings, `\uFEFF${JSON.stringify({ prescreen: { enabled: false } })}`);
  expect((await optionsNow()).prescreen).toBeNull();

  // Kept beside, and the defaults go on in its place.
  const broken = '{ "ladder": { "bulkMs": -1 } }';
  writeFileSync(core.home.settings, broken);
  expect((await optionsNow()).ladder).toEqual(ladder);
  const [setAside] = readdirSync(core.home.root).filter((name) => name.startsWith('settings.json.broken-'));
  expect(readFileSync(join(core.home.root, setAside!), 'utf8')).toBe(broken);
  expect(readFileSync(join(core.home.logs, 'vouch.jsonl'), 'utf8')).toContain(setAside);
});

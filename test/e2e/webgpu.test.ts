/** WebGPU in Electron's utility process, on the software Vulkan that Electron itself carries, with a tiny pack. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAdapters } from '../fixtures/adapters-js.ts';
import { writeSeparablePack } from '../fixtures/packs/fixture-packs.ts';
import { softwareGpu } from '../software-gpu.ts';
import { setUpApps, until } from './harness.ts';

const apps = setUpApps();

it.skipIf(process.platform !== 'linux')('WebGPU proves itself in the utility process', async ({ skip }) => {
  const env = softwareGpu(apps.electron());
  if (!env) return skip('this Electron carries no software Vulkan');
  const home = apps.folder();
  mkdirSync(join(home, 'packs'), { recursive: true });
  const pack = writeSeparablePack(join(home, 'packs', 'fixture-separable'));
  const settings = { engine: { model: pack.manifest.id, device: 'webgpu' } };
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  const app = await apps.open({ home, env: { ...env, VOUCH_ADAPTERS: writeAdapters(home) } });
  const state = await until(
    () => app.page.evaluate(() => window.vouch.engine.state()),
    (now) => now.ok && now.value.device !== null,
  );
  expect(state).toMatchObject({
    value: { device: { requested: 'webgpu', used: 'webgpu', fallbackReason: null, proof: { agreesWithCpu: true } } },
  });
  const { proof } = state.ok && state.value.device ? state.value.device : {};
  expect(proof?.nodesOnDevice).toBe(proof?.nodesInAll);
  await app.quit();
});

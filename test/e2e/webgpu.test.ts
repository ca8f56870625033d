/** WebGPU in Electron's utility process, on a tiny pack. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSeparablePack } from '../fixtures/packs/fixture-packs.ts';
import { softwareGpu } from '../software-gpu.ts';
import { setUpDesk } from './harness.ts';

const env = softwareGpu();

describe.skipIf(!env)('WebGPU on a software Vulkan, in the app', () => {
  const desk = setUpDesk();

  it('proves itself in the utility process', async () => {
    const home = desk.folder();
    mkdirSync(join(home, 'packs'), { recursive: true });
    const pack = writeSeparablePack(join(home, 'packs', 'fixture-separable'));
    const settings = { engine: { model: pack.manifest.id, device: 'webgpu' } };
    writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
    const app = await desk.open({ home, env: { ...env } });
    await expect
      .poll(
        () =>
          app.page.evaluate(async () => {
            const state = await window.vouch.engine.state();
            return state.ok ? (state.value.device?.used ?? state.value.status) : state.error.code;
          }),
        { timeout: 60_000, interval: 500 },
      )
      .toBe('webgpu');
    const state = await app.page.evaluate(() => window.vouch.engine.state());
    expect(state).toMatchObject({
      ok: true,
      value: { device: { used: 'webgpu', fallbackReason: null, proof: { agreesWithCpu: true } } },
    });
  });
});

/** WebGPU under Node: a tiny pack gives the same on it as on the CPU, and the proof says where it ran. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../main/contract/operation.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { softwareGpu } from '../../software-gpu.ts';
import { scratch, startRig, writePhotos } from './rig.ts';

const env = softwareGpu();
const spawnWithGpu: ReturnType<typeof spawnNode> = (entry, options) =>
  spawnNode()(entry, { ...options, env: { ...options.env, ...env } });

describe.skipIf(!env)('WebGPU on a software Vulkan', () => {
  it.each(['separable', 'joint'] as const)('agrees with the CPU on a %s pack', async (kind) => {
    const photos = await writePhotos(scratch(), 5);
    const operation: Operation =
      kind === 'joint'
        ? { kind: 'judge', pairs: [{ text: 'a dog' }, { text: 'no person' }] }
        : { kind: 'encode', parts: [] };
    const judge = async (device: 'cpu' | 'webgpu') => {
      const rig = await startRig({ kind, device, spawn: spawnWithGpu });
      try {
        const results = await Promise.all(photos.map((path) => rig.engine.encode(path, { operation })));
        const values = results.flatMap((result) => {
          if (!result.ok) throw new Error(`not judged on ${device}`);
          if (result.judgements) return result.judgements.map(({ p }) => p.yes);
          // The fixture's evidence: one byte of version, then floats.
          return Array.from(new Float32Array(Uint8Array.from(result.evidence!.subarray(1)).buffer));
        });
        return { values, device: rig.engine.info().device };
      } finally {
        await rig.close();
      }
    };
    const cpu = await judge('cpu');
    const gpu = await judge('webgpu');
    expect(gpu.device).toMatchObject({ used: 'webgpu', fallbackReason: null, proof: { agreesWithCpu: true } });
    expect(gpu.device.proof.nodesOnDevice).toBeGreaterThan(gpu.device.proof.nodesInAll / 2);
    expect(gpu.values).toHaveLength(cpu.values.length);
    for (const [i, value] of gpu.values.entries()) expect(value).toBeCloseTo(cpu.values[i]!, 4);
  });
});

it('goes on with the CPU, and says why, where there is no WebGPU device', async () => {
  const blind: ReturnType<typeof spawnNode> = (entry, options) =>
    spawnNode()(entry, { ...options, env: { ...options.env, VK_ICD_FILENAMES: '/nowhere', LD_LIBRARY_PATH: '' } });
  const rig = await startRig({ device: 'webgpu', spawn: blind });
  try {
    const { device } = rig.engine.info();
    // A machine with a real GPU that does without the loader's file may still have one.
    if (device.used === 'webgpu') return expect(device.proof.agreesWithCpu).toBe(true);
    expect(device).toMatchObject({ requested: 'webgpu', used: 'cpu' });
    expect(device.fallbackReason).toContain('webgpu');
    expect(device.passedOver).toHaveLength(1);
  } finally {
    await rig.close();
  }
});

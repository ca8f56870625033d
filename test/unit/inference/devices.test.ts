import { describe, expect, it } from 'vitest';
import { candidates, missingBackend, planLanes } from '../../../main/inference/session/devices.ts';
import { placementIn } from '../../../main/inference/session/profile.ts';

describe('devices', () => {
  it('ends every list of candidates with the CPU', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      for (const requested of ['auto', 'cuda', 'webgpu', 'cpu'] as const) {
        const list = candidates(requested, platform);
        expect(list.at(-1)).toBe('cpu');
        if (requested !== 'auto') expect(list[0]).toBe(requested);
      }
    }
    expect(candidates('auto', 'linux')[0]).toBe('cuda');
  });

  it('tells why a device cannot be had before it is tried', () => {
    const backends = [
      { name: 'cpu', bundled: true },
      { name: 'cuda', bundled: false },
    ];
    expect(missingBackend('cpu', backends, [])).toBeNull();
    expect(missingBackend('dml', backends, [])).toBe('no_backend');
    expect(missingBackend('cuda', backends, [])).toBe('no_libraries');
    expect(missingBackend('cuda', backends, ['libonnxruntime_providers_cuda.so'])).toBeNull();
  });

  it.each([
    ['cpu', 2, 30, { lanes: 2, threadsPerLane: 1 }],
    ['cpu', 1, 30, { lanes: 1, threadsPerLane: 1 }],
    ['cpu', 16, 30, { lanes: 4, threadsPerLane: 4 }],
    ['cpu', 16, 900, { lanes: 1, threadsPerLane: 16 }],
    ['cuda', 16, 30, { lanes: 1, threadsPerLane: 16 }],
  ] as const)('on %s with %i threads and %i MB of weights', (device, threads, megabytes, plan) => {
    expect(planLanes(device, threads, megabytes * 2 ** 20)).toEqual(plan);
  });

  it('counts each node of a profile once, on its provider', () => {
    const node = (name: string, provider: string) => ({ cat: 'Node', name: `${name}_kernel_time`, args: { provider } });
    const profile = JSON.stringify([
      { cat: 'Session', name: 'model_run' },
      node('a', 'CUDAExecutionProvider'),
      node('a', 'CUDAExecutionProvider'),
      node('b', 'CPUExecutionProvider'),
      { cat: 'Node', name: 'b_fence_before', args: {} },
    ]);
    expect(placementIn(profile, 'cuda')).toEqual({ nodesOnDevice: 1, nodesInAll: 2 });
  });
});

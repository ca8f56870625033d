import { describe, expect, it } from 'vitest';
import { devices } from '../../../main/contract/labels.ts';
import { deviceOptions, indexProblem, providersOf, warmsSizes } from '../../../main/inference/session/providers.ts';

describe('providers', () => {
  it('leaves to the CPU what a device cannot run', () => {
    for (const device of devices) expect(providersOf(device, 0).at(-1)).toBe('cpu');
  });

  it('opens CUDA on the card asked for, with an arena that grows as requested and no exhaustive search', () => {
    expect(providersOf('cuda', 1)).toEqual([
      { name: 'cuda', deviceId: 1, arena_extend_strategy: 'kSameAsRequested', cudnn_conv_algo_search: 'HEURISTIC' },
      'cpu',
    ]);
  });

  it('puts CUDA on the same card behind TensorRT, and keeps the engines that it builds', () => {
    const [tensorrt, cuda] = providersOf('tensorrt', 2);
    expect(tensorrt).toMatchObject({ name: 'tensorrt', deviceId: 2, trt_engine_cache_enable: true });
    expect(cuda).toMatchObject({ name: 'cuda', deviceId: 2 });
  });

  it('spares DirectML the memory patterns and parallel execution that it refuses', () => {
    expect(deviceOptions('dml', 1)).toEqual({
      executionProviders: [{ name: 'dml', deviceId: 1 }, 'cpu'],
      enableMemPattern: false,
      executionMode: 'sequential',
    });
    expect(deviceOptions('cpu', 0)).toEqual({ executionProviders: ['cpu'] });
  });

  it('asks CoreML for an ML Program', () => {
    expect(providersOf('coreml', 0)[0]).toEqual({ name: 'coreml', coreMlFlags: 16 });
  });

  it('refuses a number where devices cannot be told apart', () => {
    expect(indexProblem('cuda', 3)).toBeNull();
    expect(indexProblem('webgpu', 0)).toBeNull();
    expect(indexProblem('webgpu', 1)).toContain('webgpu');
    expect(indexProblem('cpu', 1)).toContain('cpu');
  });

  it('warms each size only where a new one is dear', () => {
    expect(devices.filter(warmsSizes)).toEqual(['cuda', 'tensorrt']);
  });
});

/** What ONNX Runtime is told of each device. Those that were not run here are listed in docs/engine-devices.md. */
import type * as Ort from 'onnxruntime-node';
import type { Device } from '../../contract/labels.ts';

type SessionOptions = Ort.InferenceSession.SessionOptions;
/** Options are named as the runtime names them; onnxruntime-node 1.30 reads `deviceId` and `coreMlFlags`, no others. */
type Provider = 'cpu' | 'webgpu' | Readonly<{ name: string; [option: string]: string | number | boolean }>;

/** CoreML as ML Program, which knows more operators than its older format (COREML_FLAG_CREATE_MLPROGRAM). */
const coreMlProgram = 0x10;

/** Devices that a machine may have several of, and that the runtime's binding can tell apart. */
const indexed: ReadonlySet<Device> = new Set<Device>(['cuda', 'tensorrt', 'dml']);

/** Why there is no such one of this device, or null. */
export const indexProblem = (device: Device, index: number): string | null =>
  index === 0 || indexed.has(device) ? null : `the runtime cannot choose among several ${device} devices`;

/**
 * The arena grows by what was asked, not to the next power of two, so that it does not eat the card; cuDNN picks by
 * heuristic, since its exhaustive search costs about 0.6 s for every new shape.
 */
const cuda = (deviceId: number): Provider => ({
  name: 'cuda',
  deviceId,
  arena_extend_strategy: 'kSameAsRequested',
  cudnn_conv_algo_search: 'HEURISTIC',
});

const tensorrt = (deviceId: number): Provider => ({
  name: 'tensorrt',
  deviceId,
  trt_engine_cache_enable: true,
  trt_timing_cache_enable: true,
});

/** In order of preference; what the device cannot run falls to those behind it. */
export const providersOf = (device: Device, index: number): readonly Provider[] => {
  switch (device) {
    case 'cpu':
      return ['cpu'];
    case 'cuda':
      return [cuda(index), 'cpu'];
    case 'tensorrt':
      return [tensorrt(index), cuda(index), 'cpu'];
    case 'dml':
      return [{ name: 'dml', deviceId: index }, 'cpu'];
    case 'coreml':
      return [{ name: 'coreml', coreMlFlags: coreMlProgram }, 'cpu'];
    case 'webgpu':
      return ['webgpu', 'cpu'];
  }
};

/** DirectML refuses memory patterns and parallel execution. */
export const deviceOptions = (device: Device, index: number): SessionOptions => ({
  executionProviders: providersOf(device, index),
  ...(device === 'dml' && { enableMemPattern: false, executionMode: 'sequential' as const }),
});

/** These prepare themselves for every new batch size, so each size they will be padded to is run once at load. */
export const warmsSizes = (device: Device): boolean => device === 'cuda' || device === 'tensorrt';

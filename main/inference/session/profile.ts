/** Reads ONNX Runtime's profile of a run: which execution provider ran how many nodes. */
import { z } from 'zod';
import type { Device } from '../../contract/labels.ts';
import type { Placement } from './backend.ts';

const providers: Readonly<Record<Device, string>> = {
  cpu: 'CPUExecutionProvider',
  webgpu: 'WebGpuExecutionProvider',
  cuda: 'CUDAExecutionProvider',
  tensorrt: 'TensorrtExecutionProvider',
  dml: 'DmlExecutionProvider',
  coreml: 'CoreMLExecutionProvider',
};

const eventSchema = z.object({
  cat: z.string().optional(),
  name: z.string().optional(),
  args: z.object({ provider: z.string().optional() }).optional(),
});

export const placementIn = (profile: string, device: Device): Placement => {
  const kernels = z
    .array(eventSchema)
    .parse(JSON.parse(profile))
    .filter((event) => event.cat === 'Node' && event.name?.endsWith('_kernel_time'));
  const byNode = new Map(kernels.map((event) => [event.name, event.args?.provider]));
  const onDevice = [...byNode.values()].filter((provider) => provider === providers[device]);
  return { nodesOnDevice: onDevice.length, nodesInAll: byNode.size };
};

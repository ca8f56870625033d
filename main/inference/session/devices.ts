/** Which devices to try, and why one cannot be had. */
import type { Device, MissingCause } from '../../contract/labels.ts';
import type { LanePlan } from './backend.ts';

/** Best first; the CPU is always last. WebGPU is used only when asked for: it may be a software renderer. */
export const candidates = (requested: Device | 'auto', platform: NodeJS.Platform): readonly Device[] => {
  if (requested === 'cpu') return ['cpu'];
  if (requested !== 'auto') return [requested, 'cpu'];
  if (platform === 'win32') return ['dml', 'cpu'];
  if (platform === 'darwin') return ['coreml', 'cpu'];
  return ['cuda', 'cpu'];
};

export type Backend = Readonly<{ name: string; bundled: boolean }>;

/** Why this build of the runtime has no such device, or null if it may have it. */
export const missingBackend = (
  device: Device,
  backends: readonly Backend[],
  librariesAt: readonly string[],
): MissingCause | null => {
  const backend = backends.find(({ name }) => name === device);
  if (!backend) return 'no_backend';
  if (backend.bundled || librariesAt.some((file) => file.includes(`providers_${device}`))) return null;
  return 'no_libraries';
};

const missingText: Readonly<Record<MissingCause, (device: Device) => string>> = {
  no_backend: (device) => `this build of the runtime has no ${device}`,
  no_libraries: (device) => `the ${device} libraries are not installed`,
};

export class DeviceMissing extends Error {
  readonly missing: MissingCause;
  constructor(device: Device, missing: MissingCause) {
    super(missingText[missing](device));
    this.missing = missing;
  }
}

const maxLanes = 4;
const maxWeightsPerLane = 200 * 2 ** 20;

/**
 * On CPU two sessions of one thread each do more than one of two: nobody waits for anybody inside an operator (measured
 * on the classifier and detector of 33 MB: 39 ms a photo against 45). Each holds its own copy of the weights, so a
 * large model gets one session and all threads. An accelerator is shared by one session.
 */
export const planLanes = (device: Device, threads: number, weightBytes: number): LanePlan => {
  const lanes = device !== 'cpu' || weightBytes > maxWeightsPerLane ? 1 : Math.max(1, Math.min(threads, maxLanes));
  return { lanes, threadsPerLane: Math.max(1, Math.floor(threads / lanes)) };
};

/** How much memory there is to plan with, and how full it is. */
import { type FaultPoint, faultsFor } from '../hosts/faults.ts';
import { type DeviceMemory, type OnDevice, readDeviceMemory } from './device-memory.ts';
import { type MachineMemory, machineMemory } from './machine-memory.ts';

export type MemoryUse = Readonly<{ freeBytes: number; usedPercent: number }>;

export type MemorySources = Readonly<{
  faultAt?: FaultPoint;
  ofDevice?: (device: OnDevice) => Promise<DeviceMemory | null>;
  ofMachine?: () => Promise<MachineMemory>;
}>;

const memoryUse = ({ freeBytes, totalBytes }: MachineMemory): MemoryUse => ({
  freeBytes,
  usedPercent: 100 * (1 - freeBytes / totalBytes),
});

/** Of the device that judges, where it can be read, else of the machine or the container; free and used of the same. */
export const memoryReader = (
  device: () => OnDevice | null,
  { faultAt = faultsFor('core'), ofDevice = readDeviceMemory, ofMachine = machineMemory }: MemorySources = {},
): (() => Promise<MemoryUse>) => {
  /** Devices that do not tell are asked once: asking starts other programs. */
  const silent = new Set<string>();
  const onDevice = async (): Promise<MemoryUse | null> => {
    const used = device();
    const name = used && `${used.used}:${used.index}`;
    if (!used || !name || silent.has(name)) return null;
    const memory = await ofDevice(used);
    if (!memory) silent.add(name);
    return memory && memoryUse({ ...memory, freeBytes: memory.totalBytes - memory.usedBytes });
  };
  return async () => {
    const fault = faultAt('memory');
    if (fault?.what === 'memory_pressure') {
      const { totalBytes } = await ofMachine();
      return memoryUse({ freeBytes: totalBytes * (1 - (fault.percent ?? 100) / 100), totalBytes });
    }
    return (await onDevice()) ?? memoryUse(await ofMachine());
  };
};

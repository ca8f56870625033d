/** How much memory there is to plan with, and how full it is. */
import { freemem, totalmem } from 'node:os';
import { type FaultPoint, faultsFor } from '../hosts/faults.ts';
import { type DeviceMemory, type OnDevice, readDeviceMemory } from './device-memory.ts';

export type MemoryUse = Readonly<{ freeBytes: number; usedPercent: number }>;

export type MemorySources = Readonly<{
  faultAt?: FaultPoint;
  ofDevice?: (device: OnDevice) => Promise<DeviceMemory | null>;
}>;

/** What programs could still get, caches included. On macOS `freemem` leaves those out, so another source is asked. */
const available = async (): Promise<number> =>
  process.platform === 'darwin' ? (await (await import('systeminformation')).mem()).available : freemem();

const memoryUse = (freeBytes: number, totalBytes: number): MemoryUse => ({
  freeBytes,
  usedPercent: 100 * (1 - freeBytes / totalBytes),
});

/** Of the device that judges, where it can be read, else of the machine. */
export const memoryReader = (
  device: () => OnDevice | null,
  { faultAt = faultsFor('core'), ofDevice = readDeviceMemory }: MemorySources = {},
): (() => Promise<MemoryUse>) => {
  /** Devices that do not tell are asked once: asking starts other programs. */
  const silent = new Set<string>();
  const onDevice = async (): Promise<MemoryUse | null> => {
    const used = device();
    const name = used && `${used.used}:${used.index}`;
    if (!used || !name || silent.has(name)) return null;
    const memory = await ofDevice(used);
    if (!memory) silent.add(name);
    return memory && memoryUse(memory.totalBytes - memory.usedBytes, memory.totalBytes);
  };
  return async () => {
    const fault = faultAt('memory');
    if (fault?.what === 'memory_pressure')
      return memoryUse(totalmem() * (1 - (fault.percent ?? 100) / 100), totalmem());
    return (await onDevice()) ?? memoryUse(await available(), totalmem());
  };
};

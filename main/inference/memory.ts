/** How much memory there is to plan with, and how full it is. */
import { freemem, totalmem } from 'node:os';
import { type FaultPoint, faultsFor } from './faults.ts';

export type MemoryUse = Readonly<{ freeBytes: number; usedPercent: number }>;

/** What programs could still get, caches included. On macOS `freemem` leaves those out, so another source is asked. */
const available = async (): Promise<number> =>
  process.platform === 'darwin' ? (await (await import('systeminformation')).mem()).available : freemem();

/** Of the machine: no runtime tells of a device's own memory without the vendor's tools. */
export const memoryReader =
  (faultAt: FaultPoint = faultsFor('core')) =>
  async (): Promise<MemoryUse> => {
    const fault = faultAt('memory');
    const total = totalmem();
    const free = fault?.what === 'memory_pressure' ? total * (1 - (fault.percent ?? 100) / 100) : await available();
    return { freeBytes: free, usedPercent: 100 * (1 - free / total) };
  };

/** A device's own memory, where the vendor's tool tells of it (nvidia-smi does). */
import type { Device } from '../contract/labels.ts';

/** `index`: which of several such devices. */
export type OnDevice = Readonly<{ used: Device; index: number }>;
export type DeviceMemory = Readonly<{ usedBytes: number; totalBytes: number }>;

/** As systeminformation tells of a graphics card; in MB of 2^20 bytes. */
export type Controller = Readonly<{ memoryTotal?: number | null; memoryUsed?: number | null }>;

const bytesPerMb = 2 ** 20;

/** Of the card with this number among those that tell; null where it does not. Pure. */
export const memoryOfCard = (controllers: readonly Controller[], index: number): DeviceMemory | null => {
  const telling = controllers.flatMap(({ memoryTotal, memoryUsed }) =>
    memoryTotal && memoryUsed !== undefined && memoryUsed !== null
      ? [{ usedBytes: memoryUsed * bytesPerMb, totalBytes: memoryTotal * bytesPerMb }]
      : [],
  );
  return telling[index] ?? null;
};

/** null for the CPU, and where it cannot be read. */
export const readDeviceMemory = async ({ used, index }: OnDevice): Promise<DeviceMemory | null> => {
  if (used === 'cpu') return null;
  const { graphics } = await import('systeminformation');
  const found = await graphics().catch(() => null);
  return found && memoryOfCard(found.controllers, index);
};

import { describe, expect, it } from 'vitest';
import type { Device } from '../../../main/contract/labels.ts';
import { memoryOfCard, type OnDevice } from '../../../main/inference/device-memory.ts';
import { memoryReader } from '../../../main/inference/memory.ts';

const gib = 2 ** 30;

describe('memory of a card', () => {
  it('is that of the one asked for, among those that tell', () => {
    // The graphics of the processor tell nothing of what is used.
    const cards = [
      { memoryTotal: null },
      { memoryTotal: 24576, memoryUsed: 1024 },
      { memoryTotal: 8192, memoryUsed: 0 },
    ];
    expect(memoryOfCard(cards, 0)).toEqual({ usedBytes: gib, totalBytes: 24 * gib });
    expect(memoryOfCard(cards, 1)).toEqual({ usedBytes: 0, totalBytes: 8 * gib });
    expect(memoryOfCard(cards, 2)).toBeNull();
    expect(memoryOfCard([], 0)).toBeNull();
  });
});

describe('memory to plan with', () => {
  const asked: string[] = [];
  const reader = (device: () => OnDevice | null) =>
    memoryReader(device, {
      faultAt: () => undefined,
      ofDevice: async ({ used, index }) => {
        asked.push(`${used}:${index}`);
        return used === 'cuda' ? { usedBytes: 6 * gib, totalBytes: 8 * gib } : null;
      },
      ofMachine: async () => ({ freeBytes: 4 * gib, totalBytes: 20 * gib }),
    });

  it('is that of the device where it can be read', async () => {
    const read = reader(() => ({ used: 'cuda', index: 1 }));
    expect(await read()).toEqual({ freeBytes: 2 * gib, usedPercent: 75 });
  });

  it('is that of the machine where it cannot; whoever does not tell is asked once, and others still are', async () => {
    asked.length = 0;
    let used: Device = 'webgpu';
    const read = reader(() => ({ used, index: 0 }));
    const machine = { freeBytes: 4 * gib, usedPercent: 80 };
    expect(await read()).toEqual(machine);
    await read();
    expect(asked).toEqual(['webgpu:0']);
    used = 'cuda';
    expect(await read()).toEqual({ freeBytes: 2 * gib, usedPercent: 75 });
    expect(await reader(() => null)()).toEqual(machine);
  });

  it('is what a fault on demand says, for tests', async () => {
    const read = memoryReader(() => null, { faultAt: () => ({ host: 'core', what: 'memory_pressure', percent: 85 }) });
    expect((await read()).usedPercent).toBeCloseTo(85, 5);
  });
});

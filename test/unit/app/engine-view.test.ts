import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineState, latencyOf } from '../../../main/app/engine-state.ts';
import { prunePreviews } from '../../../main/app/previews.ts';
import { defaultSettings } from '../../../main/contract/settings.ts';

describe('latency', () => {
  it('is told by nearest rank', () => {
    expect(latencyOf([])).toBeNull();
    expect(latencyOf([5])).toEqual({ mean: 5, p50: 5, p95: 5, p99: 5 });
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(latencyOf(hundred)).toEqual({ mean: 50.5, p50: 50, p95: 95, p99: 99 });
  });
});

describe('the state of an engine that has not started', () => {
  it('claims nothing', () => {
    const memory = { freeBytes: 1, totalBytes: 2 };
    const state = engineState(
      {
        status: 'stopped',
        error: null,
        settings: defaultSettings,
        judging: null,
        info: null,
        stats: null,
        run: null,
        decoder: null,
        memory,
      },
      0,
    );
    expect(state).toMatchObject({
      model: null,
      device: null,
      precision: null,
      latencyMs: null,
      degradation: [],
      memory,
    });
    expect(state.batch).toEqual({ mode: 'auto', size: 1, max: 1, mean: null, advice: null });
  });
});

describe('previews', () => {
  it('are removed from the one that was looked at longest ago, until the rest fits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-previews-'));
    for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) {
      mkdirSync(join(folder, name));
      const file = join(folder, name, `${name}-256.webp`);
      writeFileSync(file, Buffer.alloc(1000));
      utimesSync(file, 1000 + i, 1000 + i);
    }
    writeFileSync(join(folder, 'other.txt'), Buffer.alloc(5000));
    expect(await prunePreviews(folder, 2500)).toBe(2);
    const left = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.webp'));
    expect(left.toSorted()).toEqual([join('c', 'c-256.webp'), join('d', 'd-256.webp')]);
    expect(await prunePreviews(folder, 2500)).toBe(0);
    rmSync(folder, { recursive: true });
  });
});

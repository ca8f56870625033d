import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startRig, writePhotos } from './rig.ts';

let dir: string;
let white: string;
let dark: string[];
beforeAll(async () => {
  dir = scratch();
  dark = await writePhotos(dir, 5);
  white = join(dir, 'white.png');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } }).toFile(white);
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('an output that is not finite', () => {
  it('is no verdict: the batch is run again in fp32, and that is told', async () => {
    const evidenceIn = async (precision: 'fp32' | 'fp16') => {
      const rig = await startRig({
        kind: 'overflowing',
        precision,
        batch: { mode: 'fixed', size: 6 },
        // They all go into one batch, however slowly they are read.
        maxDelayMs: 60_000,
      });
      try {
        const results = await Promise.all([...dark, white].map((path) => rig.engine.encode(path)));
        const told = rig.events.flatMap((event) => (event.kind === 'not_finite' ? [event.photos] : []));
        const precisions = results.map((result) => result.ok && result.precision);
        return { evidence: results.map((result) => result.ok && result.evidence), precisions, told };
      } finally {
        await rig.close();
      }
    };
    const fp16 = await evidenceIn('fp16');
    const fp32 = await evidenceIn('fp32');
    expect(fp16.evidence).toEqual(fp32.evidence);
    expect(fp32.told).toEqual([]);
    expect(fp16.precisions.at(-1)).toBe('fp32');
    const ranInFp32 = fp16.precisions.filter((precision) => precision === 'fp32').length;
    expect(fp16.told.reduce((sum, photos) => sum + photos, 0)).toBe(ranInFp32);
  });
});

describe('auto precision', () => {
  const trials = [
    { precision: 'fp32' as const, perSecond: 10, agreement: 1 },
    { precision: 'fp16' as const, perSecond: 20, agreement: 1 },
  ];

  it('is fp32 until a trial has told, then what it told', async () => {
    const before = await startRig({ kind: 'overflowing', precision: 'auto' });
    expect(before.engine.info()).toMatchObject({ precision: 'fp32', precisionReason: { code: 'not_measured' } });
    await before.close();
    const cpu = { precision: 'fp16' as const, trials, pairs: 12, at: 1 };
    const after = await startRig({ kind: 'overflowing', precision: 'auto', choices: { cpu } });
    expect(after.engine.info()).toMatchObject({
      precision: 'fp16',
      precisionReason: { code: 'measured', params: { pairs: 12 } },
    });
    await after.close();
  });
});

import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { openImagePool } from '../../../main/images/core/pool.ts';
import { config } from '../../fixtures/images/seen.ts';

const dir = mkdtempSync(join(tmpdir(), 'vouch-tiles-'));
const entry = new URL('../../../main/images/host/image-host.ts', import.meta.url).pathname;
const pool = openImagePool({ spawn: spawnNode(), entry, limits: config.limits, tell: () => undefined });
afterAll(async () => {
  await pool.stop();
  rmSync(dir, { recursive: true, force: true });
});

const [width, height] = [1400, 1100];
/** Every pixel tells where it is, in steps that survive a good encoder. */
const drawn = (): Uint8Array => {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    data.set([(i % width) >> 3, Math.floor(i / width) >> 3, ((i % width) >> 4) % 2 === 0 ? 200 : 60], i * 3);
  }
  return data;
};
const upright = () => sharp(drawn(), { raw: { width, height, channels: 3 } });
const difference = async (a: Uint8Array, file: string): Promise<number> => {
  const b = await sharp(file).removeAlpha().raw().toBuffer();
  expect(b.length).toBe(a.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
};

describe('tiles', () => {
  it('show the photo upright in its own pixels, the last ones narrower', async () => {
    const path = join(dir, 'turned.tiff');
    const turned = await upright().rotate(270).png().toBuffer();
    writeFileSync(path, await sharp(turned).withMetadata({ orientation: 6 }).tiff().toBuffer());
    for (const [column, row, w, h] of [
      [0, 0, 512, 512],
      [1, 1, 512, 512],
      [2, 2, width - 1024, height - 1024],
    ] as const) {
      const out = join(dir, `${column}-${row}.webp`);
      expect(await pool.tile(path, { level: 0, column, row }, out)).toEqual({ ok: true, width: w, height: h });
      const region = { left: column * 512, top: row * 512, width: w, height: h };
      expect(await difference(await upright().extract(region).raw().toBuffer(), out)).toBeLessThan(8);
    }
  });

  it('show it shrunk at a level further off', async () => {
    const path = join(dir, 'plain.png');
    writeFileSync(path, await upright().png().toBuffer());
    const out = join(dir, 'level.webp');
    expect(await pool.tile(path, { level: 1, column: 1, row: 1 }, out)).toEqual({ ok: true, width: 188, height: 38 });
    const shrunk = await upright().resize(700, 550, { fit: 'fill', kernel: 'linear' }).png().toBuffer();
    const part = await sharp(shrunk).extract({ left: 512, top: 512, width: 188, height: 38 }).raw().toBuffer();
    expect(await difference(part, out)).toBeLessThan(10);
  });

  it('follow the file when it changes, and are refused where there are none', async () => {
    const path = join(dir, 'changing.png');
    writeFileSync(path, await upright().png().toBuffer());
    const out = join(dir, 'changed.webp');
    await pool.tile(path, { level: 0, column: 0, row: 0 }, out);
    writeFileSync(path, await upright().negate().png().toBuffer());
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    await pool.tile(path, { level: 0, column: 0, row: 0 }, out);
    const region = { left: 0, top: 0, width: 512, height: 512 };
    expect(await difference(await upright().negate().extract(region).raw().toBuffer(), out)).toBeLessThan(8);
    const none = join(dir, 'none.webp');
    expect(await pool.tile(path, { level: 0, column: 3, row: 0 }, none)).toMatchObject({ ok: false });
    expect(await pool.tile(join(dir, 'gone.png'), { level: 0, column: 0, row: 0 }, none)).toMatchObject({
      ok: false,
      reason: { code: 'vanished' },
    });
    expect(existsSync(none)).toBe(false);
  });
});

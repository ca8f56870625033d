/** Starts real engines on tiny packs and tiny photos. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { defaultSettings } from '../../../main/contract/settings.ts';
import type { Fault } from '../../../main/hosts/faults.ts';
import { openRuntimeDir } from '../../../main/hosts/runtime-dir.ts';
import { spawnNode } from '../../../main/hosts/spawn-node.ts';
import { type ImagePool, openImagePool } from '../../../main/images/core/pool.ts';
import { startEngine } from '../../../main/inference/core/engine.ts';
import type { Engine, EngineEvent, EngineOptions, LineOptions } from '../../../main/inference/core/engine-types.ts';
import { writeJointPack, writeOverflowingPack, writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const entries = {
  imageHost: join(root, 'main/images/host/image-host.ts'),
  inferenceHost: join(root, 'main/inference/host/inference-host.ts'),
};
const limits = { maxBytes: 2 ** 28, maxPixels: 10 ** 8 };

const backOff = { firstMs: 20, maxMs: 200, calmMs: 1000, startsWithoutReady: 3 };

export const scratch = (): string => mkdtempSync(join(tmpdir(), 'vouch-engine-'));

/** Noisy JPEGs of 80 x 60, each different. */
export const writePhotos = (dir: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const path = join(dir, `photo-${i}.jpg`);
      const noise = Buffer.alloc(80 * 60 * 3);
      for (let k = 0; k < noise.length; k += 1) noise[k] = (k * (i + 3) * 7 + ((k * k) >> 5)) & 255;
      await sharp(noise, { raw: { width: 80, height: 60, channels: 3 } })
        .jpeg()
        .toFile(path);
      return path;
    }),
  );

export type Rig = Readonly<{
  engine: Engine;
  images: ImagePool;
  events: EngineEvent[];
  dir: string;
  close: () => Promise<void>;
}>;

export const startRig = async (
  options: Partial<EngineOptions> &
    Readonly<{
      kind?: 'separable' | 'joint' | 'overflowing';
      faults?: readonly Fault[];
      imageHosts?: number;
      /** Of the only line. */
      device?: LineOptions['device'];
      deviceIndex?: number;
    }> = {},
): Promise<Rig> => {
  const { kind = 'separable', faults, imageHosts = 1, device = 'cpu', deviceIndex = 0, ...rest } = options;
  const { spawn = spawnNode(), hostMemoryTimes } = rest;
  const dir = scratch();
  const write = { joint: writeJointPack, separable: writeSeparablePack, overflowing: writeOverflowingPack }[kind];
  const pack = write(join(dir, 'pack'));
  const events: EngineEvent[] = [];
  const tell = (event: EngineEvent) => void events.push(event);
  if (faults) process.env.VOUCH_FAULTS = JSON.stringify(faults);
  const images = openImagePool({
    ...{ spawn, entry: entries.imageHost, limits, size: imageHosts, backOff, tell },
    ...(hostMemoryTimes && { hostMemoryTimes }),
  });
  try {
    const engine = await startEngine({
      pack,
      images,
      spawn,
      entry: entries.inferenceHost,
      runtimeDir: openRuntimeDir(dir),
      // However busy the machine, no photo is given up for being late.
      ladder: { ...defaultSettings.ladder, bulkMs: 600_000 },
      lines: [{ device, deviceIndex }],
      onEvent: tell,
      backOff,
      ...rest,
    });
    const close = async () => {
      await engine.stop();
      await images.stop();
      delete process.env.VOUCH_FAULTS;
      rmSync(dir, { recursive: true, force: true });
      rmSync(openRuntimeDir(dir), { recursive: true, force: true });
    };
    return { engine, images, events, dir, close };
  } catch (error) {
    await images.stop();
    delete process.env.VOUCH_FAULTS;
    throw error;
  }
};

export const inferencePid = (engine: Engine): number | undefined =>
  engine.stats().hosts.find(({ kind }) => kind === 'inference')?.pid;
export const imagePid = (engine: Engine): number | undefined =>
  engine.stats().hosts.find(({ kind }) => kind === 'image')?.pid;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Sends a signal to a process that may have gone already. */
export const signalTo = (pid: number | undefined, signal: NodeJS.Signals): boolean => {
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
};

/** Vouch as the benchmarks use it: the built core under plain Node, in a home of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Core, openCore } from '../../main/app/core.ts';
import { locateHome } from '../../main/home.ts';
import { spawnNode } from '../../main/hosts/spawn-node.ts';
import type { Judging, JudgingOptions } from '../../main/judging/judging.ts';

const root = resolve(import.meta.dirname, '..', '..');

export const judgingOptions: JudgingOptions = {
  model: 'concept-en',
  device: 'cpu',
  precision: 'fp32',
  batch: { mode: 'auto' },
  maxDelayMs: 8,
  threads: 0,
  prescreen: null,
  normalise: true,
};

export const withCore = async <T>(use: (core: Core) => Promise<T>): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'vouch-bench-home-'));
  const core = openCore({ home: locateHome(home), entries: join(root, 'dist', 'main'), root, spawn: spawnNode() });
  try {
    return await use(core);
  } finally {
    await core.close();
    rmSync(home, { recursive: true, force: true });
  }
};

export const withJudging = async <T>(core: Core, use: (judging: Judging) => Promise<T>): Promise<T> => {
  const judging = await core.openJudging(judgingOptions);
  try {
    return await use(judging);
  } finally {
    await judging.close();
  }
};

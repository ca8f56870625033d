/** What every command has at hand: the core, the store while it is needed, and Ctrl+C. */
import { dirname, resolve } from 'node:path';
import { type Core, openCore } from '../app/core.ts';
import { vouchError } from '../contract/error.ts';
import type { DecidingProgress } from '../contract/review.ts';
import { VouchFailure } from '../failure.ts';
import { locateHome } from '../home.ts';
import { spawnNode } from '../hosts/spawn-node.ts';
import type { EngineEvent } from '../inference/core/engine-types.ts';
import type { Judging, JudgingOptions } from '../judging/judging.ts';
import { resumeDeciding } from '../review/policy.ts';
import type { Store } from '../store/types.ts';
import { degradationText } from '../words/english.ts';
import { note } from './output.ts';
import { openProgress } from './progress.ts';

export type CommonOptions = Readonly<{ home?: string; json?: boolean }>;

export type CommandSession = Readonly<{
  core: Core;
  /** Aborted by Ctrl+C or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal;
  withStore: <T>(mode: 'read' | 'write', use: (store: Store) => Promise<T>) => Promise<T>;
  withJudging: <T>(judgingOptions: JudgingOptions, use: (judging: Judging) => Promise<T>) => Promise<T>;
}>;

/** `entry`: the file that runs, beside which the other built entries lie. */
export const withSession = async <T>(
  entry: string,
  { home }: CommonOptions,
  use: (session: CommandSession) => Promise<T>,
): Promise<T> => {
  const entries = dirname(entry);
  const core = openCore({
    ...{ home: locateHome(home), entries, root: resolve(entries, '..', '..'), spawn: spawnNode() },
    onBrokenSettings: (setAside) =>
      note(`The settings could not be read and were kept as ${setAside}; the defaults are used.`),
  });
  const { signal, unlisten } = listenForInterrupt();
  try {
    return await use({
      core,
      signal,
      async withStore(mode, work) {
        const store = await core.openStore(mode);
        try {
          if (mode === 'write') await finishDeciding(core, store, signal);
          return await work(store);
        } finally {
          await store.close();
        }
      },
      async withJudging(judgingOptions, work) {
        const judging = await core.openJudging({ ...judgingOptions, onEvent: sayPaused });
        try {
          return await work(judging);
        } finally {
          await judging.close();
        }
      },
    });
  } finally {
    unlisten();
    await core.close();
  }
};

/** Nothing gets on meanwhile, so whoever waits must know why. */
const sayPaused = (event: EngineEvent): void => {
  if (event.kind !== 'degradation' || event.code !== 'paused' || event.step === 'left') return;
  note(`${degradationText(event.code, event.cause)}.`);
};

/** What was being decided again when a process ended comes before anything else is written. */
const finishDeciding = async (core: Core, store: Store, signal: AbortSignal): Promise<void> => {
  const progress = openProgress('Deciding again');
  try {
    const onProgress = ({ done, total, etaMs }: DecidingProgress) =>
      progress.update({ done, total, perSecond: 0, etaMs, extra: '' });
    const any = await resumeDeciding(store, core.packs(), { signal, onProgress });
    if (any && signal.aborted) throw new VouchFailure(vouchError('cancelled', {}));
  } finally {
    progress.end();
  }
};

const listenForInterrupt = (): Readonly<{ signal: AbortSignal; unlisten: () => void }> => {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    note('Stopping: what is finished is kept. Once more to stop at once.');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: controller.signal,
    unlisten: () => {
      for (const name of signals) process.off(name, interrupt);
    },
  };
};

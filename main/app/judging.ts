/** The pack at work, as the settings want it; opened again when they change in a way that a running engine cannot take. */
import type { EngineSettings, Settings } from '../contract/settings.ts';
import type { EngineEvent } from '../inference/core/engine-types.ts';
import type { Judging, JudgingOptions, SettledJudging } from '../judging/judging.ts';
import { type Core, prescreenOf } from './core.ts';
import type { AppBus } from './events.ts';

export const judgingOptionsOf = (settings: Settings): SettledJudging => {
  const { engine, ladder } = settings;
  return {
    model: engine.model,
    device: engine.device,
    deviceIndex: engine.deviceIndex,
    precision: engine.precision,
    inputSize: engine.inputSize,
    batch: batchOf(engine),
    maxDelayMs: engine.maxDelayMs,
    threads: engine.threads,
    ladder,
    hosts: { priority: engine.priority, hostMemoryMb: engine.hostMemoryMb },
    prescreen: prescreenOf(settings),
    normalise: true,
  };
};

const batchOf = ({ batch }: EngineSettings): JudgingOptions['batch'] =>
  batch === 'auto' ? { mode: 'auto' } : { mode: 'fixed', size: batch };

/** What an engine can only take from the start. */
const lasting = ({ engine, prescreen }: Settings): string =>
  JSON.stringify([
    engine.model,
    engine.device,
    engine.deviceIndex,
    engine.precision,
    engine.inputSize,
    engine.threads,
    engine.priority,
    engine.hostMemoryMb,
    prescreen,
  ]);

export type JudgingHolder = Readonly<{
  current: () => Promise<Judging>;
  /** The judging if it has been opened. */
  opened: () => Judging | null;
  /** Applies changed settings; `reopened` tells whether work under way must start over with the new one. */
  apply: (settings: Settings) => 'unchanged' | 'live' | 'reopen';
  /** Closes the judging that was in use, so that the next `current` opens another. */
  reopen: () => Promise<void>;
  close: () => Promise<void>;
}>;

export const holdJudging = (core: Core, first: Settings, events: AppBus): JudgingHolder => {
  const onEvent = (event: EngineEvent) => void events.emit('engineEvent', event);
  let settings = first;
  let opening: Promise<Judging> | undefined;
  let opened: Judging | null = null;

  const close = async () => {
    const last = opening;
    opening = undefined;
    opened = null;
    await last?.then((judging) => judging.close()).catch(() => undefined);
  };

  return {
    current: () => {
      if (opening) return opening;
      const next = core.openJudging({ ...judgingOptionsOf(settings), onEvent });
      opening = next;
      next.then(
        (judging) => {
          if (opening !== next) return;
          opened = judging;
          events.emit('judgingOpened');
        },
        () => {
          // The next call tries again: the reason may have gone.
          if (opening === next) opening = undefined;
        },
      );
      return next;
    },
    opened: () => opened,
    apply: (next) => {
      const before = settings;
      settings = next;
      if (lasting(before) !== lasting(next)) return 'reopen';
      const { batch, maxDelayMs } = next.engine;
      const engine = opened?.startedEngine();
      const batchChanged = batch !== before.engine.batch || maxDelayMs !== before.engine.maxDelayMs;
      const ladderChanged = JSON.stringify(before.ladder) !== JSON.stringify(next.ladder);
      if (batchChanged) engine?.setBatch(batchOf(next.engine), maxDelayMs);
      if (ladderChanged) engine?.setLadder(next.ladder);
      return batchChanged || ladderChanged ? 'live' : 'unchanged';
    },
    reopen: close,
    close,
  };
};

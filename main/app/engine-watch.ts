/** Follows the engine and tells windows how it fares: at each change, and every second while it works. */

import type { VouchError } from '../contract/errors.ts';
import type { Settings } from '../contract/settings.ts';
import type { EngineState, Run } from '../contract/views.ts';
import { type MachineMemory, machineMemory } from '../inference/machine-memory.ts';
import { engineState } from './engine-state.ts';
import type { AppBus } from './events.ts';
import type { JudgingHolder } from './judging.ts';

export type EngineWatch = Readonly<{
  state: () => EngineState;
  /** Starts the engine unless it runs; a failure shows in the state. */
  warmUp: () => Promise<void>;
  /** The engine was let go for another one. */
  replaced: () => void;
  /** Something that the state is made of has changed. */
  refresh: () => void;
  close: () => void;
}>;

type EngineWatchPorts = Readonly<{
  judging: JudgingHolder;
  settings: () => Settings;
  run: () => Run | null;
  decoder: string | null;
  /** What a failure to start means to a person. */
  explain: (thrown: unknown) => VouchError;
  events: AppBus;
}>;

const tellEveryMs = 1000;
/** On macOS other programs are started to read it. */
const readMemoryEvery = 5;
/** The hosts' last figures come after a run's end. */
const settlingTicks = 3;

export const watchEngine = ({ judging, settings, run, decoder, explain, events }: EngineWatchPorts): EngineWatch => {
  let status: EngineState['status'] = 'stopped';
  let error: VouchError | null = null;
  let upAt = 0;
  let memory: MachineMemory | null = null;
  let closed = false;
  /** And tells it, with everything else. */
  const readMemory = async () => {
    memory = await machineMemory().catch(() => memory);
    if (!closed) refresh();
  };

  const state = (): EngineState => {
    const opened = judging.opened();
    const engine = opened?.startedEngine() ?? null;
    return engineState(
      {
        status: engine && status === 'stopped' ? 'ready' : status,
        error,
        settings: settings(),
        judging: opened,
        info: engine?.info() ?? null,
        stats: engine?.stats() ?? null,
        run: run(),
        decoder,
        memory,
      },
      upAt,
    );
  };
  const refresh = () => void events.emit('engine', state());
  const become = (next: EngineState['status'], failure: VouchError | null = null) => {
    status = next;
    error = failure;
    refresh();
  };
  let quietTicks = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    quietTicks = run()?.status === 'running' ? 0 : quietTicks + 1;
    if (quietTicks > settlingTicks) return;
    ticks += 1;
    if (ticks % readMemoryEvery === 0) void readMemory();
    else refresh();
  }, tellEveryMs);
  void readMemory();

  events.on('judgingOpened', refresh);
  events.on('runEnded', refresh);
  events.on('engineEvent', (event) => {
    if (event.kind === 'inference_up') {
      upAt = Date.now();
      become('ready');
    }
    // Before it was ever up, its supervisor still tries: `warmUp` or the run reports a final failure.
    else if (event.kind === 'host_down' && event.host === 'inference' && status === 'ready') become('restarting');
  });

  return {
    state,
    refresh,
    warmUp: async () => {
      if (judging.opened()?.startedEngine()) return;
      if (status !== 'starting') become('starting');
      try {
        await (await judging.current()).engine();
        become('ready');
      } catch (cause) {
        if (status === 'starting') become('failed', explain(cause));
      }
    },
    replaced: () => become('starting'),
    close: () => {
      closed = true;
      clearInterval(timer);
    },
  };
};

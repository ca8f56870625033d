/** The ladder at work on one line: how many photos are let in, and its host replaced while none is in it. */
import type { LadderSettings } from '../../contract/settings.ts';
import { HostLost } from '../../hosts/isolation.ts';
import { memoryReader } from '../memory.ts';
import type { EngineEvent } from './engine-types.ts';
import type { InferenceClient, Place } from './inference-client.ts';
import { type LadderWalk, walkLadder } from './ladder-runner.ts';

export type LineLadder = Readonly<{
  walk: LadderWalk;
  /** Photos that may be in the line. */
  admitted: () => number;
  /** A batch failed in a way that no photo is to blame for: replaces its host. Tells how to treat the job. */
  lost: (generation: number, kind: 'out_of_memory' | 'device_lost') => HostLost;
  degraded: () => boolean;
  /** Replaces the inference host while no photo is in the line. */
  renew: () => Promise<void>;
  set: (settings: LadderSettings) => void;
  close: () => void;
}>;

export type LadderPorts = Readonly<{
  tell: (event: EngineEvent) => void;
  /** The number of photos that may be let in has changed. */
  changed: () => void;
  /** Resolves when no photo is in the line. */
  empty: () => Promise<void>;
}>;

type State = {
  readonly client: InferenceClient;
  readonly ports: LadderPorts;
  settings: LadderSettings;
  /** Acts that wait for an empty line, or are under way in it. */
  draining: number;
  last: Promise<void>;
  /** The process that a batch was lost in, and how its photos are treated. */
  lostIn: number;
  how: HostLost['how'];
};

/** Holds newcomers back and waits until those inside are through; one act after another. */
const alone = (state: State, act: () => Promise<void>): Promise<void> => {
  const { ports, last } = state;
  state.draining += 1;
  const mine = last
    .then(async () => {
      await ports.empty();
      await act();
    })
    .finally(() => {
      state.draining -= 1;
      ports.changed();
    });
  state.last = mine.catch(() => undefined);
  return mine;
};

const replace = async ({ client }: State): Promise<void> => {
  client.recycle();
  await client.up();
};

const settle = (state: State, place: Partial<Place>): void => {
  state.client.place(place);
  // After a failed batch its host is replaced anyway.
  void alone(state, async () => {
    if (!state.client.placed().asWanted) await replace(state);
  }).catch(() => undefined);
};

const probe = async (state: State): Promise<boolean> => {
  const { client } = state;
  let back = false;
  await alone(state, async () => {
    client.place({ fallback: false });
    await replace(state).catch(() => undefined);
    back = !client.placed().fallback && client.info()?.device.fallbackReason === null;
    if (back) return;
    client.place({ fallback: true });
    await replace(state).catch(() => undefined);
  });
  return back;
};

const walkWith = (state: State): LadderWalk => {
  const { client, ports } = state;
  return walkLadder({
    settings: state.settings,
    readMemory: memoryReader(() => client.info()?.device ?? null),
    traits: () => ({
      reduced: client.placed().reduced,
      slowed: client.heartbeat()?.slowed ?? false,
      smallerSizes: client.smallerSizes,
    }),
    tell: ports.tell,
    admit: ports.changed,
    divideBatch: client.divideBatch,
    place: (place) => settle(state, place),
    probe: () => probe(state),
  });
};

const lost = (state: State, walk: LadderWalk, generation: number, kind: 'out_of_memory' | 'device_lost'): HostLost => {
  const { client, ports } = state;
  if (state.lostIn === generation) return new HostLost(state.how);
  state.lostIn = generation;
  const before = { cap: client.cap() ?? client.heartbeat()?.batch ?? 1, fallback: client.placed().fallback };
  walk.note({ kind });
  const cap = client.cap();
  if (kind === 'out_of_memory') ports.tell({ kind, ceiling: cap });
  // Where something was changed, another try may go well, and nobody is to blame.
  const fellBack = !before.fallback && walk.onFallback();
  state.how = fellBack || (cap !== null && cap < before.cap) ? 'recycled' : 'crashed';
  client.recycle();
  return new HostLost(state.how);
};

/** Call when the host is up: what is held by hand takes effect at once. */
export const openLadder = (client: InferenceClient, settings: LadderSettings, ports: LadderPorts): LineLadder => {
  const state: State = {
    ...{ client, ports, settings, draining: 0, lostIn: 0 },
    last: Promise.resolve(),
    how: 'crashed',
  };
  const walk = walkWith(state);
  return {
    walk,
    admitted: () => (state.draining > 0 ? 0 : walk.admitted()),
    lost: (generation, kind) => lost(state, walk, generation, kind),
    degraded: () => client.placed().reduced !== null || state.settings.pinned === 3,
    renew: () => alone(state, () => replace(state)),
    set(next) {
      state.settings = next;
      walk.set(next);
    },
    close: () => walk.close(),
  };
};

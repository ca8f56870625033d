/**
 * A line: one inference host with the ladder that it stands on, the photos in it, and how fast it is. An engine has one
 * for each device that it judges on.
 */
import type { Priority } from '../../contract/priority.ts';
import type { LadderSettings } from '../../contract/settings.ts';
import type { HostFigures } from '../../hosts/host-events.ts';
import { residentBytes } from '../../hosts/host-memory.ts';
import type { LoadedInfo } from '../protocol.ts';
import type { EngineEvent, EngineOptions, LineOptions } from './engine-types.ts';
import { type Batching, type InferenceClient, openInferenceClient } from './inference-client.ts';
import { type LineLadder, openLadder } from './ladder-actions.ts';
import { awaitLateResults, type LateResults } from './late-results.ts';
import type { LineView } from './routing.ts';

export type InferenceLine = Readonly<{
  client: InferenceClient;
  late: LateResults;
  /** Once it was up. */
  ladder: () => LineLadder | null;
  /** Resolves when its host is ready; rejects with `HostUnavailable`. */
  up: () => Promise<void>;
  view: () => LineView;
  enter: (priority: Priority) => void;
  leave: (priority: Priority) => void;
  /** A photo came through, which took so much of the time of the batches that it was in. */
  measured: (shareMs: number) => void;
  /** What a batch may hold now. */
  batch: () => number;
  setBatching: (batching: Batching) => void;
  setLadder: (ladder: LadderSettings) => void;
  figures: () => HostFigures;
  stop: () => Promise<void>;
}>;

export type LinePorts = Readonly<{
  tell: (event: EngineEvent) => void;
  /** It may have got room, or has come up or gone down. */
  changed: () => void;
}>;

/** Batches in a host besides those that run: one waits, one is being decoded. */
const batchesAhead = 2;
const batchBeforeLoaded = 4;
/** Before anything was measured. */
const unmeasuredMs = 100;
/** How much one photo changes what is usual. */
const weight = 0.1;

type State = {
  inside: number;
  bulkInside: number;
  msPerPhoto: number;
  batching: Batching;
  settings: LadderSettings;
  ladder: LineLadder | null;
  whenEmpty: readonly (() => void)[];
};

const empty = (state: State): Promise<void> =>
  state.inside === 0
    ? Promise.resolve()
    : new Promise((resolve) => {
        state.whenEmpty = [...state.whenEmpty, resolve];
      });

const leave = (state: State, priority: Priority): void => {
  state.inside -= 1;
  if (priority !== 'interactive') state.bulkInside -= 1;
  if (state.inside > 0) return;
  const { whenEmpty } = state;
  state.whenEmpty = [];
  for (const resolve of whenEmpty) resolve();
};

/** Of a host that was just loaded: as its probe, side by side in each lane. */
const probedMs = ({ device, lanes }: LoadedInfo): number => Math.max(0.01, device.proof.probeMs / lanes);

const measured = (state: State, shareMs: number, lanes: number): void => {
  const ms = Math.max(0.01, shareMs / lanes);
  state.msPerPhoto = (1 - weight) * state.msPerPhoto + weight * ms;
};

const batchOf = ({ batching: { batch } }: State, client: InferenceClient): number =>
  batch.mode === 'fixed' ? batch.size : (client.heartbeat()?.batch ?? batchBeforeLoaded);

const viewOf = (state: State, client: InferenceClient): LineView => {
  const { inside, bulkInside, msPerPhoto, ladder } = state;
  const lanes = client.info()?.lanes ?? 1;
  return {
    ...{ inside, bulkInside, msPerPhoto },
    up: ladder !== null && client.ready() !== undefined,
    most: ladder?.admitted() ?? 0,
    ahead: (lanes + batchesAhead) * batchOf(state, client),
  };
};

const figuresOf = (client: InferenceClient): HostFigures => {
  const pid = client.pid();
  return { pid, restarts: client.restarts(), rssBytes: residentBytes(pid) ?? client.heartbeat()?.rssBytes ?? null };
};

/** Starts its host. `index` counts from 0 in its engine. */
export const openLine = (
  options: EngineOptions,
  line: LineOptions,
  index: number,
  batching: Batching,
  { tell, changed }: LinePorts,
): InferenceLine => {
  const state: State = {
    ...{ inside: 0, bulkInside: 0, msPerPhoto: unmeasuredMs, batching, ladder: null, whenEmpty: [] },
    settings: options.ladder,
  };
  const late = awaitLateResults();
  const onEvent = (event: EngineEvent): void => {
    if (event.kind === 'inference_up') state.msPerPhoto = probedMs(event.info);
    if (event.kind === 'host_down') late.lost(event.how);
    if (event.kind === 'not_finite') state.ladder?.walk.note({ kind: 'not_finite' });
    tell(event);
    changed();
  };
  const name = index === 0 ? 'inference host' : `inference host ${index + 1}`;
  const ports = { tell: onEvent, unexpected: late.arrived };
  const client = openInferenceClient(options, line, name, batching, ports);
  return {
    ...{ client, late },
    ladder: () => state.ladder,
    async up() {
      await client.up();
      state.ladder ??= openLadder(client, state.settings, { tell, changed, empty: () => empty(state) });
    },
    view: () => viewOf(state, client),
    enter(priority) {
      state.inside += 1;
      if (priority !== 'interactive') state.bulkInside += 1;
    },
    leave: (priority) => leave(state, priority),
    measured: (shareMs) => measured(state, shareMs, client.info()?.lanes ?? 1),
    batch: () => batchOf(state, client),
    setBatching(next) {
      state.batching = next;
      client.setBatching(next);
    },
    setLadder(settings) {
      state.settings = settings;
      state.ladder?.set(settings);
    },
    figures: () => figuresOf(client),
    async stop() {
      state.ladder?.close();
      await client.stop();
    },
  };
};

/** Walks the ladder with the engine: notes what happens to it, has it do what the rungs say, and tells of each step. */
import type { Degradation, PastDegradation } from '../../contract/degradation.ts';
import type { LadderSettings } from '../../contract/settings.ts';
import type { MemoryUse } from '../memory.ts';
import {
  type ActiveRung,
  admitted,
  batchDivisor,
  type EngineTraits,
  type Observation,
  observe,
  onFallback,
  rungsOf,
  sizeSteps,
  topOfLadder,
} from './ladder-state.ts';

export type LadderStep = Readonly<{ kind: 'degradation'; step: 'entered' | 'left' }> &
  ActiveRung &
  Readonly<{
    since: number;
    /** Once it is left. */
    lastedMs: number | null;
    why: string;
  }>;

export type DegradationPorts = Readonly<{
  settings: LadderSettings;
  readMemory: () => Promise<MemoryUse>;
  traits: () => EngineTraits;
  tell: (step: LadderStep) => void;
  /** The number of photos that may be let in has changed. */
  admit: () => void;
  /** Divides what an automatic batch may hold; null: let it grow as it likes. */
  divideBatch: (divisor: number | null) => void;
  /** Judge on the CPU from now on or where one would without the ladder, so many input sizes down. */
  place: (place: Readonly<{ fallback?: boolean; sizeSteps?: number }>) => void;
  /** Try the device again; settles when it is known whether it is back. */
  probe: () => Promise<boolean>;
}>;

export type LadderWalk = Readonly<{
  note: (observation: Observation) => void;
  /** The bound of a gate. */
  admitted: () => number;
  /** Whether the CPU stands in for the device. */
  onFallback: () => boolean;
  set: (settings: LadderSettings) => void;
  now: () => readonly Degradation[];
  past: () => readonly PastDegradation[];
  close: () => void;
}>;

const tickMs = 500;
const keptPast = 50;

export const walkLadder = (ports: DegradationPorts): LadderWalk => {
  let { settings } = ports;
  let state = topOfLadder;
  let active: readonly (ActiveRung & Readonly<{ since: number }>)[] = [];
  let past: readonly PastDegradation[] = [];
  let probing = false;
  let bound = Number.POSITIVE_INFINITY;

  const why = ({ code, cause }: ActiveRung): string => {
    const { timeLimits, memory, fallback } = state;
    if (cause === 'pinned') return 'held by hand';
    if (code === 'put_off' || code === 'paused') return `${timeLimits.inARow} photos in a row missed their time limit`;
    if (code === 'input_reduced' || (code === 'batch_reduced' && cause === 'memory'))
      return memory.level > 0 ? `memory ${Math.round(memory.usedPercent)} % used` : 'out of memory';
    if (code === 'batch_reduced') return 'three batches in a row were too slow';
    if (code === 'device_fallback') return fallback?.cause === 'memory' ? 'out of memory twice' : 'the device was lost';
    if (code === 'grades_raised') return cause === 'device' ? 'reduced weights are in use' : 'the input is smaller';
    return 'an output was not finite';
  };

  const compare = (now: number): void => {
    const same = (a: ActiveRung, b: ActiveRung) => a.code === b.code && a.cause === b.cause;
    const next = rungsOf(state, settings, ports.traits());
    const before = active;
    active = next.map((rung) => before.find((other) => same(rung, other)) ?? { ...rung, since: now });
    for (const rung of before) {
      if (active.some((other) => same(rung, other))) continue;
      past = [{ code: rung.code, cause: rung.cause, since: rung.since, until: now }, ...past].slice(0, keptPast);
      ports.tell({ kind: 'degradation', step: 'left', ...rung, lastedMs: now - rung.since, why: why(rung) });
    }
    for (const rung of active) {
      if (!before.some((other) => same(rung, other))) {
        ports.tell({ kind: 'degradation', step: 'entered', ...rung, lastedMs: null, why: why(rung) });
      }
    }
  };

  const divisorNow = () => batchDivisor(state, settings, ports.traits().smallerSizes);
  const stepsNow = () => sizeSteps(state, settings, ports.traits().smallerSizes);

  /** Lets a change of state or settings take effect. */
  const step = (change: () => void): void => {
    const divisor = divisorNow();
    const fallback = onFallback(state, settings);
    const steps = stepsNow();
    change();
    const nextDivisor = divisorNow();
    if (nextDivisor !== divisor) ports.divideBatch(nextDivisor === 1 ? null : nextDivisor / divisor);
    const nextFallback = onFallback(state, settings);
    if (nextFallback !== fallback && !probing) ports.place({ fallback: nextFallback });
    if (stepsNow() !== steps) ports.place({ sizeSteps: stepsNow() });
    const now = Date.now();
    const nextBound = admitted(state, settings, now);
    if (nextBound !== bound) {
      bound = nextBound;
      ports.admit();
    }
    compare(now);
  };

  const note = (observation: Observation): void =>
    step(() => {
      state = observe(state, observation, settings, Date.now());
    });

  const probeIfDue = async (): Promise<void> => {
    const { fallback } = state;
    if (!fallback || probing || settings.pinned === 4 || Date.now() < fallback.probeAt) return;
    probing = true;
    try {
      note({ kind: 'probed', back: await ports.probe() });
    } finally {
      probing = false;
      // A rung may have been held or let go meanwhile.
      ports.place({ fallback: onFallback(state, settings) });
    }
  };

  let readAt = 0;
  const tick = async (): Promise<void> => {
    note({ kind: 'tick' });
    if (Date.now() - readAt >= settings.memoryEveryMs) {
      readAt = Date.now();
      note({ kind: 'memory', usedPercent: (await ports.readMemory()).usedPercent });
    }
    await probeIfDue();
  };
  const timer = setInterval(() => void tick().catch(() => undefined), tickMs);
  timer.unref();

  step(() => undefined);
  if (onFallback(state, settings)) ports.place({ fallback: true });
  if (stepsNow() > 0) ports.place({ sizeSteps: stepsNow() });
  if (divisorNow() > 1) ports.divideBatch(divisorNow());

  return {
    note,
    admitted: () => bound,
    onFallback: () => onFallback(state, settings),
    set: (next) =>
      step(() => {
        settings = next;
      }),
    now: () => active.map(({ code, cause, since }) => ({ code, cause, since })),
    past: () => past,
    close: () => clearInterval(timer),
  };
};

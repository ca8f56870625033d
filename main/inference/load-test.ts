/** Puts the engine under a known load and measures how it fares: what `bench` and the benchmarks are made of. */
import type { Encoded, EncodeOptions, Engine } from './engine-types.ts';
import { percentile } from './percentile.ts';

export type LoadFigures = Readonly<{
  meanMs: number;
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
  /** Of all hosts together at the end. */
  rssMb: number;
  /** null where it cannot be read. */
  deviceMemoryMb: number | null;
  failures: number;
}>;

export type Load = Readonly<{
  /** Photos under way at once, each client sending the next when it has its answer. */
  clients: number;
  priority: NonNullable<EncodeOptions['priority']>;
  /** Ends when so many photos are judged and so long a time has passed; ms. */
  atLeast: Readonly<{ photos: number; ms: number }>;
  signal?: AbortSignal;
}>;

/** What a photo took: an interactive one all in all, another without its wait in the queue. */
const msOf = ({ info, timing }: Encoded, priority: Load['priority']): number => {
  if (priority === 'interactive') return timing.totalMs;
  const { read, decode, prescreen, views } = info.timingMs;
  return read + decode + prescreen + views + timing.runMs;
};

const bytesPerMb = 2 ** 20;

/** Of the device that runs the model, where the system's tools tell; null for the CPU. */
const deviceMemoryMb = async (engine: Engine): Promise<number | null> => {
  const { used, index } = engine.info().device;
  if (used === 'cpu') return null;
  const { graphics } = await import('systeminformation');
  const { controllers } = await graphics();
  return controllers.filter(({ memoryUsed }) => memoryUsed)[index]?.memoryUsed ?? null;
};

export const figuresOf = (
  ms: readonly number[],
  seconds: number,
): Pick<LoadFigures, 'meanMs' | 'p50' | 'p95' | 'p99' | 'perSecond'> => {
  const sorted = ms.toSorted((a, b) => a - b);
  return {
    meanMs: sorted.reduce((sum, one) => sum + one, 0) / Math.max(1, sorted.length),
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    perSecond: seconds > 0 ? sorted.length / seconds : 0,
  };
};

/** Latencies in ms in the order they came, and the rest. Photos are taken in turn, again and again. */
export const loadEngine = async (
  engine: Engine,
  photos: readonly string[],
  { clients, priority, atLeast, signal }: Load,
): Promise<Readonly<{ ms: readonly number[]; seconds: number; failures: number }>> => {
  const ms: number[] = [];
  let sent = 0;
  let failures = 0;
  const startedAt = performance.now();
  const wantsMore = () => !signal?.aborted && (sent < atLeast.photos || performance.now() - startedAt < atLeast.ms);
  const client = async (name: string): Promise<void> => {
    while (wantsMore()) {
      const path = photos[sent % photos.length]!;
      sent += 1;
      const result = await engine.encode(path, { priority, client: name, ...(signal && { signal }) });
      if (result.ok) ms.push(msOf(result, priority));
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(`load-${i}`)));
  return { ms, seconds: (performance.now() - startedAt) / 1000, failures };
};

export const measureLoad = async (engine: Engine, photos: readonly string[], load: Load): Promise<LoadFigures> => {
  const { ms, seconds, failures } = await loadEngine(engine, photos, load);
  const rss = engine.stats().hosts.reduce((sum, { rssBytes }) => sum + (rssBytes ?? 0), 0);
  return {
    ...figuresOf(ms, seconds),
    rssMb: rss / bytesPerMb,
    deviceMemoryMb: await deviceMemoryMb(engine),
    failures,
  };
};

import type { Handlers } from '../../contract/api.ts';
import type { BenchRecord } from '../../contract/bench.ts';
import { failWith } from '../../failure.ts';
import { benchOf, keepBench, measureTables } from '../../measure/bench-tables.ts';
import type { AppService } from '../app-service.ts';
import { judgingOptionsOf } from '../judging.ts';

const clients = [1, 2, 4, 8];
const sizes = [1, 2, 4, 8, 16, 32];

export const engineHandlers = ({
  core,
  engine,
  judging,
  precision,
  runs,
  settings,
  events,
}: AppService): Handlers['engine'] => {
  let measuring: AbortController | null = null;
  // A person's photos go before figures.
  events.on('runChanged', ({ status }) => status === 'running' && measuring?.abort());

  const measure = async (signal: AbortSignal): Promise<BenchRecord> => {
    await engine.warmUp();
    // First what `auto` means, so that the figures are those of what will run.
    await precision.settle(signal);
    const { pack, engine: started } = await judging.current();
    const running = await started();
    const most = Math.max(...pack.manifest.inputs.map(({ maxBatch }) => maxBatch));
    const { batch, maxDelayMs } = judgingOptionsOf(settings.now());
    const tables = await measureTables(running, core.samples(), {
      sizes: sizes.filter((size) => size <= most),
      clients,
      batch,
      maxDelayMs,
      ladder: settings.now().ladder,
      signal,
      onRow: (done, total) => void events.emit('bench', { done, total }),
    });
    return keepBench(core.home, pack, running, tables);
  };

  return {
    state: async () => engine.state(),
    configure: async (change) => {
      settings.change({ engine: change });
      return engine.state();
    },
    bench: async () => {
      const opened = judging.opened();
      const started = opened?.startedEngine();
      return opened && started ? benchOf(core.home, opened.pack, started) : null;
    },
    measure: async (_, { signal }) => {
      if (runs.active() || measuring) failWith('run_active', {});
      measuring = new AbortController();
      try {
        return await measure(AbortSignal.any([signal, measuring.signal]));
      } catch (cause) {
        return measuring.signal.aborted ? failWith('run_active', {}) : Promise.reject(cause);
      } finally {
        // What was changed meanwhile goes on as it was asked for.
        const { batch, maxDelayMs } = judgingOptionsOf(settings.now());
        judging.opened()?.startedEngine()?.setBatch(batch, maxDelayMs);
        measuring = null;
      }
    },
  };
};

export const runHandlers = ({ runs }: AppService): Handlers['runs'] => ({
  current: async () => runs.current(),
});

/**
 * The composition root of the core: wires store, packs, engine and verdicts for whichever shell there is. Nothing here
 * starts before it is asked for.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type VouchError, vouchError } from '../contract/errors.ts';
import type { Pack } from '../contract/pack.ts';
import type { PrescreenThresholds } from '../contract/photo.ts';
import type { Settings } from '../contract/settings.ts';
import { type ExportPorts, exportFile } from '../export/export-file.ts';
import type { FileExport } from '../export/types.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import { type Home, makeHome } from '../home.ts';
import type { SpawnHost } from '../hosts/host.ts';
import { claimRuntimeDir } from '../hosts/runtime-claim.ts';
import { type ImagePool, openImagePool } from '../images/core/pool.ts';
import type { ImageLimits } from '../images/protocol.ts';
import { startEngine } from '../inference/core/engine.ts';
import { type Engine, EngineUnavailable } from '../inference/core/engine-types.ts';
import type { JudgingCore, JudgingOptions, SettledJudging } from '../judging/judging.ts';
import { inputSizes } from '../packs/input-size.ts';
import { findPacks } from '../packs/packs.ts';
import { precisionFile, readChoices } from '../packs/precision-choice.ts';
import { readSettings } from '../settings.ts';
import { openStore } from '../store/core/client.ts';
import type { Store } from '../store/types.ts';
import { openLog } from '../telemetry/log.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { openRescorer } from '../verdicts/rescore.ts';
import { emitEngineEvent, emitStarted } from './engine-events.ts';

export type CoreOptions = Readonly<{
  home: Home;
  /** Folder of the built entries: hosts and workers. */
  entries: string;
  /** Folder that holds models/ and resources/. */
  root: string;
  spawn: SpawnHost;
  spawnImage?: SpawnHost;
  /** Hears where settings that could not be read now are; the defaults go on in their place. */
  onBrokenSettings?: (setAside: string) => void;
}>;

export type Core = JudgingCore &
  Readonly<{
    /** The image hosts, for whoever looks at photos; none starts before it is needed. */
    images: ImagePool;
    /** What a failure means to a person; a defect of ours is written into the log, which its words then name. */
    explain: (during: string, thrown: unknown) => VouchError;
    packs: () => readonly Pack[];
    openStore: (mode: 'read' | 'write') => Promise<Store>;
    /** Writes pairs to a file, in a worker; see main/export/export-file.ts. */
    exportFile: (wanted: Omit<FileExport, 'home'>, ports: ExportPorts) => Promise<number>;
    /** Files that come with Vouch, such as `statements/samples.yaml`. */
    resource: (...path: readonly string[]) => string;
    close: () => Promise<void>;
  }>;

/** The prescreen's thresholds, or null where it is off. */
export const prescreenOf = ({ prescreen: { enabled, ...thresholds } }: Settings): PrescreenThresholds | null =>
  enabled ? thresholds : null;

/** The options, and what they leave open as the settings say. */
const settle = (options: JudgingOptions, settings: Settings): SettledJudging => {
  const { maxDelayMs, threads, hostMemoryMb } = settings.engine;
  const hosts = { priority: 'normal', hostMemoryMb } as const;
  return { maxDelayMs, threads, hosts, ladder: settings.ladder, prescreen: prescreenOf(settings), ...options };
};

const limits: ImageLimits = { maxBytes: 512 * 1024 * 1024, maxPixels: 300_000_000 };

/** Operations throw `VouchFailure` for what a person can do something about. */
export const openCore = ({ home, entries, root, spawn, spawnImage, onBrokenSettings }: CoreOptions): Core => {
  makeHome(home);
  const telemetry = createTelemetry();
  const log = openLog(home, telemetry);
  const entry = (name: string): string => join(entries, `${name}.js`);
  const entryUrl = (name: string): URL => pathToFileURL(entry(name));
  const images = openImagePool({
    spawn: spawnImage ?? spawn,
    entry: entry('image-host'),
    limits,
    tell: (event) => emitEngineEvent(telemetry, event),
  });
  const packFolders = [join(root, 'models', 'packs'), home.packs];

  const noteBroken = (setAside: string) => {
    telemetry.emit('settings_broken', { setAside });
    onBrokenSettings?.(setAside);
  };

  const findPack = (id: string): Pack => {
    const { packs: known, broken } = findPacks(packFolders);
    const pack = known.find(({ manifest }) => manifest.id === id);
    if (pack) return pack;
    const detail = broken.get(id);
    if (detail !== undefined) throw new VouchFailure(vouchError('pack_broken', { pack: id, detail }));
    throw new VouchFailure(vouchError('pack_unknown', { id, known: known.map(({ manifest }) => manifest.id) }));
  };

  const startEngineFor = async (pack: Pack, options: SettledJudging): Promise<Engine> => {
    const { device, deviceIndex = 0, precision, inputSize = 'auto', batch, onEvent } = options;
    const { maxDelayMs, threads, prescreen, ladder, hosts } = options;
    if (precision !== 'auto' && !pack.manifest.precisions.includes(precision)) {
      const has = pack.manifest.precisions.join(', ');
      throw new VouchFailure(
        vouchError('precision_unavailable', { precision, detail: `${pack.manifest.id} has ${has}` }),
      );
    }
    const runtime = claimRuntimeDir(home.root);
    try {
      const engine = await startEngine({
        pack,
        images,
        spawn,
        entry: entry('inference-host'),
        runtimeDir: runtime.dir,
        lines: [{ device, deviceIndex }],
        precision,
        inputSize,
        choices: readChoices(precisionFile(home), pack.sha256),
        graphCache: home.graphs,
        batch,
        maxDelayMs,
        threads,
        prescreen,
        ladder,
        hostMemoryMb: hosts.hostMemoryMb,
        priority: hosts.priority,
        onEvent: (event) => {
          emitEngineEvent(telemetry, event);
          onEvent?.(event);
        },
      });
      emitStarted(telemetry, pack.manifest.id, engine.info());
      return { ...engine, stop: () => engine.stop().finally(runtime.close) };
    } catch (error) {
      runtime.close();
      if (error instanceof EngineUnavailable) throw new VouchFailure(unavailable(error, pack, options));
      throw error;
    }
  };

  return {
    home,
    telemetry,
    images,
    explain(during, thrown) {
      const error = errorOf(thrown, home.log);
      if (error.code === 'unexpected') telemetry.emit('defect', { during, error: stackOf(thrown) });
      return error;
    },
    packs: () => findPacks(packFolders).packs,
    async openStore(mode) {
      const opened = await openStore({
        ...{ home: home.root, mode, workerUrl: entryUrl('store-worker') },
        onRequest: (timing) => telemetry.emit('store_request', timing),
      });
      if (!opened.ok) throw new VouchFailure(opened.error);
      return opened.store;
    },
    async openJudging(wanted) {
      const settled = settle(wanted, readSettings(home.settings, noteBroken));
      const pack = findPack(settled.model);
      const inputSize = inputSizeFor(pack, settled);
      const opened = await openRescorer(entryUrl('rescore-worker'), {
        packDir: pack.dir,
        home: home.root,
        graphCache: home.graphs,
        colloquial: {
          builtin: join(root, 'resources', 'statements', 'colloquial.yaml'),
          user: join(home.root, 'colloquial.yaml'),
        },
        normalise: settled.normalise,
      });
      if (!opened.ok) throw new VouchFailure(opened.error);
      const rescorer = opened.value;
      let starting: Promise<Engine> | undefined;
      let started: Engine | null = null;
      return {
        pack,
        options: settled,
        inputSize,
        rescorer,
        engine: () => {
          starting ??= startEngineFor(pack, settled).then((engine) => {
            started = engine;
            return engine;
          });
          return starting;
        },
        startedEngine: () => started,
        async close() {
          await Promise.all([starting?.then((engine) => engine.stop()).catch(() => undefined), rescorer.close()]);
        },
      };
    },
    exportFile: (wanted, ports) => exportFile(entryUrl('export-worker'), { ...wanted, home: home.root }, ports),
    resource: (...path) => join(root, 'resources', ...path),
    samples: () => {
      const dir = join(root, 'resources', 'samples');
      return readdirSync(dir)
        .filter((name) => name.endsWith('.jpg'))
        .toSorted()
        .map((name) => join(dir, name));
    },
    async close() {
      await images.stop();
      await log.close();
    },
  };
};

const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

const inputSizeFor = (pack: Pack, { inputSize = 'auto' }: JudgingOptions): number => {
  const [size] = inputSizes(pack.manifest, inputSize);
  if (size !== undefined) return size;
  const detail = `${pack.manifest.id} has ${pack.manifest.inputs.map((input) => input.size).join(', ')}`;
  throw new VouchFailure(vouchError('input_size_unavailable', { size: Number(inputSize), detail }));
};

const unavailable = (error: EngineUnavailable, pack: Pack, { device }: JudgingOptions) => {
  const { message: detail } = error;
  if (error.code === 'pack_broken') return vouchError('pack_broken', { pack: pack.manifest.id, detail });
  if (error.code === 'device_unavailable') return vouchError('device_unavailable', { device, detail });
  return vouchError(error.code === 'runtime_missing' ? 'runtime_missing' : 'engine_unavailable', { detail });
};

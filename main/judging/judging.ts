/** A pack at work: what is asked for, what it offers, and what it needs of the core. */
import type { Device, Precision } from '../contract/labels.ts';
import type { Pack } from '../contract/pack.ts';
import type { PrescreenThresholds } from '../contract/photo.ts';
import type { EngineSettings, LadderSettings } from '../contract/settings.ts';
import type { Home } from '../home.ts';
import type { Engine, EngineEvent } from '../inference/core/engine-types.ts';
import type { BatchSetting } from '../inference/protocol.ts';
import type { InputSize } from '../packs/input-size.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Rescorer } from '../verdicts/rescore.ts';

/** How to judge: which pack, on what, and with which checks. What may be left out is then as the settings say. */
export type JudgingOptions = Readonly<{
  model: string;
  device: Device | 'auto';
  /** Which of several such devices; the first where it is left out. */
  deviceIndex?: number;
  precision: Precision | 'auto';
  /** One of the pack's; its first where it is left out. */
  inputSize?: InputSize;
  batch: BatchSetting;
  maxDelayMs?: number;
  threads?: number;
  /** null: none. */
  prescreen?: PrescreenThresholds | null;
  normalise: boolean;
  ladder?: LadderSettings;
  /** Where they are left out, hosts of ordinary priority: a person waits for a command. */
  hosts?: Pick<EngineSettings, 'priority' | 'hostMemoryMb'>;
  onEvent?: (event: EngineEvent) => void;
}>;

type FromSettings = 'maxDelayMs' | 'threads' | 'prescreen' | 'ladder' | 'hosts';
export type SettledJudging = JudgingOptions & Required<Pick<JudgingOptions, FromSettings>>;

/** A pack at work: statements and verdicts at once, the engine when the first photo needs it. */
export type Judging = Readonly<{
  pack: Pack;
  options: SettledJudging;
  /** At which evidence is kept; under memory pressure the engine may judge at a smaller one. */
  inputSize: number;
  rescorer: Rescorer;
  engine: () => Promise<Engine>;
  /** The engine if it was started. */
  startedEngine: () => Engine | null;
  close: () => Promise<void>;
}>;

/** What judging needs of the core, whichever shell there is. */
export type JudgingCore = Readonly<{
  home: Home;
  telemetry: Telemetry;
  openJudging: (options: JudgingOptions) => Promise<Judging>;
  /** The photos that come with Vouch. */
  samples: () => readonly string[];
}>;

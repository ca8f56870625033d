/** Options that several commands share, checked as they are read. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Device, devices, precisions } from '../contract/labels.ts';
import type { BatchSetting } from '../inference/protocol.ts';
import type { JudgingOptions } from '../judging/judging.ts';
import type { CommonOptions } from './session.ts';

/** `index`: which of several such devices, as in `cuda:1`. */
export type DeviceOption = Readonly<{ kind: Device | 'auto'; index: number }>;

export type EngineOptions = Readonly<{
  model: string;
  device: DeviceOption;
  precision: JudgingOptions['precision'];
}>;

export const homed = (command: Command): Command =>
  command.option('--home <dir>', 'where Vouch keeps its database, logs and settings (else VOUCH_HOME)');

export const common = (command: Command, json = 'print one JSON document on stdout and nothing else there'): Command =>
  homed(command).option('--json', json);

export const engine = (command: Command): Command =>
  command
    .option('--model <id>', 'model pack to judge with', 'concept-en')
    .addOption(
      new Option('--device <device>', `where to run the model: auto, ${devices.join(', ')}, or cuda:1 and the like`)
        .argParser(device)
        .default({ kind: 'auto', index: 0 } satisfies DeviceOption, 'auto'),
    )
    .addOption(
      new Option('--precision <precision>', 'weights to use').choices(['auto', ...precisions]).default('auto'),
    );

const device = (value: string): DeviceOption => {
  const [name = '', index = '0', ...rest] = value.split(':');
  const kind = (['auto', ...devices] as const).find((known) => known === name);
  if (!kind || rest.length > 0 || !/^\d{1,2}$/.test(index) || (value !== kind && (kind === 'auto' || kind === 'cpu'))) {
    throw new InvalidArgumentError(`Give auto, ${devices.join(', ')}, or a number with it: cuda:1.`);
  }
  return { kind, index: Number(index) };
};

export const batch = (value: string): BatchSetting => {
  if (value === 'auto') return { mode: 'auto' };
  const size = Number(value);
  if (!Number.isInteger(size) || size < 1 || size > 64) throw new InvalidArgumentError('Give auto or 1 to 64.');
  return { mode: 'fixed', size };
};

export const positiveInteger = (value: string): number => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number from 1.');
  return number;
};

export const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];

export const judgingOptionsFrom = (
  options: EngineOptions & CommonOptions,
  rest: Readonly<{ batch?: BatchSetting; prescreen: boolean; normalise?: boolean }>,
): JudgingOptions => ({
  model: options.model,
  device: options.device.kind,
  deviceIndex: options.device.index,
  precision: options.precision,
  batch: rest.batch ?? { mode: 'auto' },
  // With its thresholds as in the settings, as all else that has no option.
  ...(!rest.prescreen && { prescreen: null }),
  normalise: rest.normalise ?? true,
});

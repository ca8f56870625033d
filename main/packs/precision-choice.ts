/** Which precision `auto` means: chosen from a trial on this machine, and kept in VOUCH_HOME. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Device, deviceSchema, type Precision } from '../contract/labels.ts';
import {
  type PrecisionChoice,
  type PrecisionReason,
  type PrecisionTrial,
  precisionChoiceSchema,
} from '../contract/precision.ts';
import { writeWhole } from '../files/write-whole.ts';
import type { Home } from '../home.ts';

/** What `auto` means on each device of this machine. */
export type PrecisionChoices = Readonly<Partial<Record<Device, PrecisionChoice>>>;

/** A precision counts only if it gives at least this share of fp32's labels. */
const leastAgreement = 0.97;
/** Less than this faster is noise, and not worth another precision's evidence. */
const leastGain = 1.05;

/** The fastest that agrees with fp32; fp32 where none is clearly faster. */
export const choosePrecision = (trials: readonly PrecisionTrial[]): Precision => {
  const fp32 = trials.find(({ precision }) => precision === 'fp32');
  if (!fp32) throw new Error('a trial without fp32 has nothing to compare with');
  const better = trials
    .filter(({ agreement, perSecond }) => agreement >= leastAgreement && perSecond >= leastGain * fp32.perSecond)
    .toSorted((a, b) => b.perSecond - a.perSecond);
  return better[0]?.precision ?? 'fp32';
};

/** What to open on a device, and why. `available`: what the pack has; its first stands in for a missing fp32. */
export const precisionOn = (
  device: Device,
  requested: Precision | 'auto',
  choices: PrecisionChoices,
  available: readonly Precision[],
): Readonly<{ precision: Precision; reason: PrecisionReason }> => {
  if (requested !== 'auto') return { precision: requested, reason: { code: 'asked', params: {} } };
  const choice = choices[device];
  if (choice && available.includes(choice.precision)) {
    return { precision: choice.precision, reason: { code: 'measured', params: choice } };
  }
  const usual = available.includes('fp32') ? 'fp32' : available[0]!;
  return { precision: usual, reason: { code: 'not_measured', params: {} } };
};

/** Tells machines apart that share a home. */
export const machineId = (): string =>
  createHash('sha256')
    .update(JSON.stringify([platform(), arch(), cpus()[0]?.model, cpus().length]))
    .digest('hex')
    .slice(0, 16);

/** By machine and pack sha256, then by device. */
const keptSchema = z.record(z.string(), z.partialRecord(deviceSchema, precisionChoiceSchema));
type Kept = z.infer<typeof keptSchema>;

const keyOf = (packSha256: string): string => `${machineId()}-${packSha256}`;

const readAll = (file: string): Kept => {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
};

export const precisionFile = ({ bench }: Home): string => join(bench, 'precision.json');

/** What is known of a pack; empty where nothing is, or the file cannot be read. */
export const readChoices = (file: string, packSha256: string): PrecisionChoices =>
  (readAll(file)[keyOf(packSha256)] ?? {}) as PrecisionChoices;

export const keepChoice = (file: string, packSha256: string, device: Device, choice: PrecisionChoice): void => {
  const all = readAll(file);
  const key = keyOf(packSha256);
  const next = { ...all, [key]: { ...all[key], [device]: choice } };
  writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
};

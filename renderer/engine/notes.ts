/** What the engine really does and why, in a line under each choice. */
import type { PassedOver } from '../../main/contract/labels.ts';
import type { PrecisionReason } from '../../main/contract/precision.ts';
import type { EngineSettings } from '../../main/contract/settings.ts';
import type { EngineState } from '../../main/contract/views.ts';
import { formatFor } from '../../main/words/format.ts';
import { i18n } from '../i18n/instance.ts';
import { windowWords } from '../i18n/words.ts';

/** The sentence around a reason brings its own full stop. */
const bare = (reason: string): string => reason.replace(/[.。\s]+$/u, '');

const format = () => formatFor(i18n.language);

const reasonOf = ({ device, reason, cause }: PassedOver): string =>
  cause ? i18n.t(`engine.missing.${cause}`, { device: windowWords().deviceName(device) }) : bare(reason);

/** "CUDA passed over: the CUDA libraries are not installed." for each. */
export const passedOverText = (passedOver: readonly PassedOver[]): readonly string[] =>
  passedOver.map((one) =>
    i18n.t('engine.passedOver', { device: windowWords().deviceName(one.device), reason: reasonOf(one) }),
  );

export const deviceNote = (device: EngineState['device']): string => {
  if (!device) return i18n.t('engine.deviceNote');
  const { fallbackReason, passedOver, requested, used } = device;
  if (fallbackReason !== null) {
    const reason = passedOver[0] ? reasonOf(passedOver[0]) : bare(fallbackReason);
    return i18n.t('engine.fallback', {
      asked: windowWords().deviceName(requested),
      reason,
      used: windowWords().deviceName(used),
    });
  }
  return passedOver.length > 0 ? passedOverText(passedOver).join(' ') : i18n.t('engine.deviceNote');
};

/** Rounded down to a tenth of a percent, so that all is said only of all. */
const percentOf = (share: number): string => format().rate(Math.floor(share * 1000 + 1e-6) / 10);

const measuredText = ({ precision, trials, pairs, at }: Extract<PrecisionReason, { code: 'measured' }>['params']) => {
  const date = format().day(at);
  const chosen = trials.find((trial) => trial.precision === precision);
  const fp32 = trials.find((trial) => trial.precision === 'fp32');
  if (precision === 'fp32' || !chosen || !fp32 || fp32.perSecond === 0) {
    return i18n.t('engine.precisionFastest', { precision, date });
  }
  return i18n.t('engine.precisionMeasured', {
    precision,
    share: percentOf(chosen.agreement),
    times: format().rate(chosen.perSecond / fp32.perSecond),
    pairs: format().integer(pairs),
    date,
  });
};

export const precisionNote = (precision: EngineState['precision']): string => {
  const reason = precision?.reason;
  if (reason?.code === 'measured') return measuredText(reason.params);
  return i18n.t(reason?.code === 'asked' ? 'engine.precisionAsked' : 'engine.precisionNote');
};

export const inputSizeNote = (inputSize: EngineState['inputSize'], asked: EngineSettings['inputSize']): string => {
  if (asked !== 'auto') return i18n.t('engine.inputFixed');
  return i18n.t(inputSize && inputSize.available.length > 1 ? 'engine.inputAuto' : 'engine.inputOnly');
};

export const batchNote = ({ mode, max, advice }: EngineState['batch']): string => {
  const note = i18n.t(mode === 'auto' ? 'engine.batchAuto' : 'engine.batchFixed', { max: format().integer(max) });
  if (!advice) return note;
  const better = { size: format().integer(advice.size), cause: windowWords().causeText(advice.cause) };
  return `${note} ${i18n.t('engine.batchAdvice', better)}`;
};

/**
 * Reasons, errors and caps in words. Each table is complete by its type: a code without words does not compile.
 */
import type { Degradation } from '../../main/contract/degradation.ts';
import type { QuarantineReason } from '../../main/contract/photo.ts';
import type { Cap, Seen, VerdictReason } from '../../main/contract/reason.ts';
import type { ApiError } from '../../main/contract/result.ts';
import { type Format, formatFor } from './format.ts';
import { i18n } from './instance.ts';

type Coded = Readonly<{ code: string; params: unknown }>;
type Words<T extends Coded> = {
  readonly [C in T['code']]: (params: Extract<T, { code: C }>['params'], format: Format) => string;
};

const format = (): Format => formatFor(i18n.language);
const quoted = (words: readonly string[], f: Format): string => f.list(words.map((word) => i18n.t('quote', { word })));
const most = 3;
const faint = 0.05;
/** The best three, but for those all but unseen. */
const telling = (evidence: readonly Seen[]): readonly Seen[] =>
  evidence.filter(({ score }) => score >= faint).slice(0, most);
/** "Labrador retriever 0.91 and golden retriever 0.05" */
const sights = (evidence: readonly Seen[], f: Format): string =>
  f.list(evidence.map(({ name, score }) => i18n.t('sight', { name, score: f.score(score) })));

/** The sentence with what was seen where that tells something, else the other. */
const withSights = (
  evidence: readonly Seen[],
  f: Format,
  sighted: (evidence: string) => string,
  bare: () => string,
): string => {
  const shown = telling(evidence);
  return shown.length > 0 ? sighted(sights(shown, f)) : bare();
};

const verdictWords: Words<VerdictReason> = {
  seen: ({ concept, evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.seen', { concept, evidence }),
      () => i18n.t('reason.seenBare', { concept }),
    ),
  not_seen: ({ concept, evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.notSeen', { concept, evidence }),
      () => i18n.t('reason.notSeenBare', { concept }),
    ),
  unsure: ({ concept, evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.unsure', { concept, evidence }),
      () => i18n.t('reason.unsureBare', { concept }),
    ),
  words_not_checked: ({ words, evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.wordsNotCheckedSaw', { words: quoted(words, f), evidence }),
      () => i18n.t('reason.wordsNotChecked', { words: quoted(words, f) }),
    ),
  concept_unknown: ({ words }, f) => i18n.t('reason.conceptUnknown', { words: quoted(words, f) }),
  small_object: ({ concept }) => i18n.t('reason.smallObject', { concept }),
  look_alike: ({ concept, evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.lookAlike', { concept, evidence }),
      () => i18n.t('reason.lookAlikeBare', { concept }),
    ),
  person_not_checked: ({ concept }) => i18n.t('reason.personNotChecked', { concept }),
  count_not_reached: ({ concept, wanted, found }, f) =>
    i18n.t('reason.countNotReached', { concept, wanted: f.integer(wanted), found: f.integer(found) }),
  count_uncertain: ({ concept, wanted, found }, f) =>
    i18n.t('reason.countUncertain', { concept, wanted: f.integer(wanted), found: f.integer(found) }),
  out_of_domain: ({ evidence: found }, f) =>
    withSights(
      found,
      f,
      (evidence) => i18n.t('reason.outOfDomain', { evidence }),
      () => i18n.t('reason.outOfDomainBare'),
    ),
  nothing_to_check: () => i18n.t('reason.nothingToCheck'),
  not_all_checked: ({ cut }, f) => i18n.t('reason.notAllChecked', { cut: quoted(cut, f) }),
  language_unsupported: ({ language }, f) => i18n.t('reason.languageUnsupported', { language: f.language(language) }),
  flat: ({ standardDeviation }, f) => i18n.t('reason.flat', { deviation: f.rate(standardDeviation) }),
  timed_out: ({ limitMs }, f) => i18n.t('reason.timedOut', { limit: f.ms(limitMs) }),
  model_score: () => i18n.t('reason.modelScore'),
};

const quarantineWords: Words<QuarantineReason> = {
  empty_file: () => i18n.t('quarantine.emptyFile'),
  not_an_image: ({ found }) => i18n.t('quarantine.notAnImage', { found }),
  unsupported_format: ({ format: name }) => i18n.t('quarantine.unsupportedFormat', { format: name.toUpperCase() }),
  unreadable: ({ error }) => i18n.t('quarantine.unreadable', { error }),
  vanished: () => i18n.t('quarantine.vanished'),
  undecodable: ({ format: name, error }) => i18n.t('quarantine.undecodable', { format: name.toUpperCase(), error }),
  too_many_pixels: ({ width, height, limit }, f) =>
    i18n.t('quarantine.tooManyPixels', {
      width: f.integer(width),
      height: f.integer(height),
      limit: f.integer(limit / 1e6),
    }),
  too_many_bytes: ({ bytes, limit }, f) =>
    i18n.t('quarantine.tooManyBytes', { size: f.bytes(bytes), limit: f.bytes(limit) }),
  kills_host: ({ host, times }) => i18n.t(`quarantine.killsHost.${host}`, { count: times }),
  inference_failed: ({ error }) => i18n.t('quarantine.inferenceFailed', { error }),
  still_changing: () => i18n.t('quarantine.stillChanging'),
};

const errorWords: Words<ApiError> = {
  invalid_input: ({ channel, path, problem }) => i18n.t('error.invalidInput', { channel, path, problem }),
  forbidden_sender: ({ channel }) => i18n.t('error.forbiddenSender', { channel }),
  not_found: ({ what }) => i18n.t(`error.notFound.${what}`),
  folder_missing: ({ path }) => i18n.t('error.folderMissing', { path }),
  not_a_folder: ({ path }) => i18n.t('error.notAFolder', { path }),
  folder_unreadable: ({ path, error }) => i18n.t('error.folderUnreadable', { path, error }),
  folder_inside: ({ path, parent }) => i18n.t('error.folderInside', { path, parent }),
  nothing_left: ({ text, removed }, f) => i18n.t('error.nothingLeft', { text, removed: quoted(removed, f) }),
  audit_needed: ({ missing }) => i18n.t('error.auditNeeded', { count: missing }),
  risk_not_kept: ({ target }, f) => i18n.t('error.riskNotKept', { target: f.percent(target) }),
  not_searchable: ({ pack }) => i18n.t('error.notSearchable', { pack }),
  set_empty: ({ name }) => i18n.t('error.setEmpty', { name }),
  set_invalid: ({ file, line, field, problem }, f) =>
    i18n.t(field ? 'error.setInvalidField' : 'error.setInvalid', { file, line: f.integer(line), field, problem }),
  name_taken: ({ name }) => i18n.t('error.nameTaken', { name }),
  no_statement: () => i18n.t('error.noStatement'),
  engine_unavailable: ({ detail }) => i18n.t('error.engineUnavailable', { detail }),
  device_unavailable: ({ device, detail }) => i18n.t('error.deviceUnavailable', { device: deviceName(device), detail }),
  pack_broken: ({ pack, detail }) => i18n.t('error.packBroken', { pack, detail }),
  store_locked: ({ path }) => i18n.t('error.storeLocked', { path }),
  store_corrupt: ({ path, detail }) => i18n.t('error.storeCorrupt', { path, detail }),
  store_unusable: ({ path, why, detail }) => i18n.t(`error.storeUnusable.${why}`, { path, detail }),
  export_failed: ({ path, detail }) => i18n.t('error.exportFailed', { path, detail }),
  export_over_photo: ({ path }) => i18n.t('error.exportOverPhoto', { path }),
  export_over_home: ({ path }) => i18n.t('error.exportOverHome', { path }),
  disk_full: ({ path }) => i18n.t('error.diskFull', { path }),
  cancelled: () => i18n.t('error.cancelled'),
  run_active: () => i18n.t('error.runActive'),
  not_ready: ({ detail }) => i18n.t('error.notReady', { detail }),
  unexpected: ({ detail }) => i18n.t('error.unexpected', { detail }),
};

const say = <T extends Coded>(words: Words<T>, coded: T): string => {
  const say = words[coded.code as T['code']] as (params: unknown, format: Format) => string;
  return say(coded.params, format());
};

export const reasonText = (reason: VerdictReason): string => say(verdictWords, reason);
export const quarantineText = (reason: QuarantineReason): string => say(quarantineWords, reason);
export const errorText = (error: ApiError): string => say(errorWords, error);

/** "YES is held at 0.60: nothing here can check “running”." */
export const capText = ({ side, limit, reason }: Cap): string =>
  i18n.t(`cap.${side}`, { limit: format().score(limit), reason: reasonText(reason) });

export const degradationText = ({ code, cause }: Degradation): string =>
  i18n.t('degradation.line', { what: i18n.t(`degradation.${code}`), cause: i18n.t(`cause.${cause}`) });

const deviceNames: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  webgpu: 'WebGPU',
  cuda: 'CUDA',
  tensorrt: 'TensorRT',
  dml: 'DirectML',
  coreml: 'Core ML',
};
/** Devices keep their own names in every language. */
export const deviceName = (device: string): string =>
  device === 'auto' ? i18n.t('engine.auto') : (deviceNames[device] ?? device);

/** What reasons and errors, which are data, say in English. Every code has its sentence; the types see to that. */
import type { DegradationCause, DegradationCode } from '../contract/degradation.ts';
import type { ErrorCode, VouchError, VouchErrors } from '../contract/error.ts';
import type { WatchLimit, WatchState } from '../contract/folder.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import type { Seen, VerdictReason } from '../contract/reason.ts';
import type { StoreError, StoreErrorCode } from '../store/types.ts';

type Coded = Readonly<{ code: string; params: unknown }>;
type WordsFor<R extends Coded> = { readonly [C in R['code']]: (params: Extract<R, { code: C }>['params']) => string };

const score = (value: number): string => value.toFixed(2);
const list = (items: readonly string[], joint = 'or'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;
const quoted = (items: readonly string[], joint?: string): string =>
  list(
    items.map((item) => `'${item}'`),
    joint,
  );
const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

const determined = /^(?:an?|the|no|some|any|one|two|three|four|five|several|many|his|her|its|their|\d+)\s/i;
const plural = /(?:[^suiy]s|ies|people|men|women|children|feet|teeth|mice|geese)$/i;
const uncountable =
  /(?:water|grass|snow|sand|food|bread|rice|fruit|furniture|clothing|hair|wood|ice|cheese|meat|smoke|sky)$/i;
/** "dog" as one says it: "a dog"; what has an article or needs none stays. */
const named = (concept: string): string => {
  if (determined.test(concept) || plural.test(concept) || uncountable.test(concept)) return concept;
  return `${/^[aeiou]/i.test(concept) ? 'an' : 'a'} ${concept}`;
};

/** "(Labrador retriever, 0.91; dog, 0.88)", with a space before it. */
const shown = (evidence: readonly Seen[]): string =>
  evidence.length === 0 ? '' : ` (${evidence.map(({ name, score: s }) => `${name}, ${score(s)}`).join('; ')})`;
const sawThese = (evidence: readonly Seen[]): string =>
  evidence.length === 0 ? '' : `Saw ${evidence.map(({ name, score: s }) => `${name} (${score(s)})`).join(' and ')}. `;

const verdictWords: WordsFor<VerdictReason> = {
  seen: ({ concept, evidence }) => `Saw ${named(concept)}${shown(evidence)}.`,
  not_seen: ({ concept, evidence }) => `Did not see ${named(concept)}${shown(evidence)}.`,
  unsure: ({ concept, evidence }) => `Not sure about ${named(concept)}${shown(evidence)}.`,
  words_not_checked: ({ words, evidence }) => `${sawThese(evidence)}Nothing in this pack can check ${quoted(words)}.`,
  concept_unknown: ({ words }) => `This pack does not know ${quoted(words)}.`,
  small_object: ({ concept }) => `Did not see ${named(concept)}, but it may be too small to see.`,
  look_alike: ({ concept, evidence }) => `Cannot tell ${named(concept)} from what looks like it${shown(evidence)}.`,
  person_not_checked: ({ concept }) =>
    `Who or what '${concept}' is cannot be told from what this pack sees of a person.`,
  count_not_reached: ({ concept, wanted, found }) => `Looked for ${wanted} of '${concept}' and found ${found}.`,
  count_uncertain: ({ concept, wanted, found }) =>
    `Looked for ${wanted} of '${concept}' and found ${found}, but the count is not certain.`,
  out_of_domain: ({ evidence }) => `This is not the kind of picture that the pack knows${shown(evidence)}.`,
  nothing_to_check: () => 'The statement names nothing that could be looked for.',
  not_all_checked: ({ cut }) => `Only the beginning of the statement was checked; left out: ${quoted(cut, 'and')}.`,
  language_unsupported: ({ language }) => `This pack does not read the statement's language (${language}).`,
  flat: ({ standardDeviation }) =>
    `The photo is almost one colour (spread ${standardDeviation.toFixed(1)}), so no model was asked.`,
  timed_out: ({ limitMs }) => `The model did not answer within ${limitMs} ms.`,
  model_score: () => "The model's score alone; it gives no reason.",
};

const quarantineWords: WordsFor<QuarantineReason> = {
  empty_file: () => 'The file is empty.',
  not_an_image: ({ found }) => `The file is no image; it holds ${found}.`,
  unsupported_format: ({ format }) => `Images of the format ${format} cannot be read.`,
  unreadable: ({ error }) => `The file cannot be read: ${error}.`,
  vanished: () => 'The file was there and is gone.',
  undecodable: ({ format, error }) => `The ${format} image is broken: ${error}.`,
  too_many_pixels: ({ width, height, limit }) =>
    `The image has ${width} x ${height} pixels; the limit is ${Math.round(limit / 1e6)} megapixels.`,
  too_many_bytes: ({ bytes, limit }) => `The file has ${megabytes(bytes)}; the limit is ${megabytes(limit)}.`,
  kills_host: ({ host, times }) =>
    `The ${host === 'image' ? 'image decoder' : 'model'} crashed on it ${counted(times, 'time')}.`,
  inference_failed: ({ error }) => `The model failed on it: ${error}.`,
  still_changing: () => 'The file is still being written.',
};

type StoreParams = Readonly<Record<string, unknown>>;
/** " /home/x" where the parameter is there, nothing where it is not. */
const given = (params: StoreParams, ...names: readonly string[]): string => {
  const name = names.find(
    (candidate) => typeof params[candidate] === 'string' || typeof params[candidate] === 'number',
  );
  return name === undefined ? '' : ` ${params[name]}`;
};
const because = (params: StoreParams): string => {
  const why = given(params, 'detail', 'problem', 'error');
  return why === '' ? '' : `:${why}`;
};
const inFile = (p: Readonly<{ file: string; line: number; field?: string; problem: string }>): string =>
  `${p.file}, line ${p.line}: ${p.field ? `${p.field} ` : ''}${p.problem}.`;

const storeWords: { readonly [C in StoreErrorCode]: (params: StoreParams) => string } = {
  store_locked: (p) =>
    `Another Vouch is using this home${given(p, 'home', 'path')}${p.pid ? ` (process ${p.pid})` : ''}. Close it, or give another --home.`,
  store_corrupt: (p) =>
    `The database is damaged${because(p)}.` +
    `${p.setAside ? ` It was kept as ${p.setAside}.` : ''} ` +
    (p.backup
      ? `Bring back the newest backup: vouch restore ${p.backup}`
      : 'There is no backup; the next scan starts a new one.'),
  store_newer: () => 'A newer Vouch made this database; this one leaves it as it is. Install the newer version.',
  network_path: (p) =>
    `The home${given(p, 'path', 'file')} is on a network drive, where a database breaks. Give a local folder with --home.`,
  disk_full: (p) => `The disk is full${because(p)}. What was stored is kept; free some space and run it again.`,
  not_writable: (p) =>
    `The database${given(p, 'file')}${p.path ? ` in ${p.path}` : ''} cannot be written${because(p)}.`,
  store_missing: (p) => `There is no database yet${given(p, 'file', 'path')}. Scan a folder first.`,
  read_only: () => 'The database was opened for reading only.',
  not_found: (p) => {
    const [what, id] = typeof p.what === 'string' ? [p.what, p.id] : (Object.entries(p)[0] ?? ['entry', '']);
    return `There is no ${what} ${id}.`;
  },
  not_a_backup: (p) => `The file${given(p, 'file', 'path')} is no backup of Vouch${because(p)}. Nothing was changed.`,
  store_closed: () => 'The database is closed.',
  unexpected: (p) => `Something unexpected happened${because(p)}.`,
};

type OtherErrors = Omit<VouchErrors, StoreErrorCode>;
const otherWords: { readonly [C in keyof OtherErrors]: (params: OtherErrors[C]) => string } = {
  usage: ({ problem }) => problem,
  invalid_input: ({ path, problem }) => `${path || 'The request'}: ${problem}.`,
  forbidden_sender: () => 'The call did not come from a window of Vouch.',
  folder_missing: ({ path }) => `There is no folder ${path}.`,
  not_a_folder: ({ path }) => `${path} is not a folder.`,
  folder_unreadable: ({ path, error }) => `The folder ${path} cannot be read: ${error}.`,
  folder_inside: ({ path, parent }) => `${path} is already part of ${parent}.`,
  file_missing: ({ path }) => `There is no file ${path}.`,
  file_unreadable: ({ path, detail }) => `${path} cannot be read: ${detail}.`,
  photo_unusable: ({ path, reason }) => `${path}: ${quarantineText(reason)}`,
  no_statement: () => 'No statement was given. Give one with -s "a dog", or a set with --set FILE.',
  nothing_left: ({ text, removed }) =>
    removed.length === 0
      ? `The statement '${text}' says nothing that could be checked.`
      : `Nothing is left of the statement '${text}' once ${quoted(removed, 'and')} ${removed.length === 1 ? 'is' : 'are'} taken out.`,
  audit_needed: ({ missing }) =>
    `Risk control needs ${missing} more blind audit reviews: draw pairs with "vouch queue --draw ${missing}" and review them.`,
  risk_not_kept: ({ target }) =>
    `No threshold keeps automatic decisions within an error of ${target * 100} %. Accept more, or review more of the audit.`,
  not_searchable: ({ pack }) => `The pack ${pack} keeps no evidence, so photos cannot be searched with it.`,
  set_empty: ({ name }) => `The statement set ${name} holds no statements.`,
  set_invalid: inFile,
  name_taken: ({ name }) => `Another statement set is called ${name}.`,
  colloquial_invalid: inFile,
  pairs_invalid: inFile,
  // The store says the same of itself, and in more detail.
  store_unusable: ({ path, why, detail }) => storeWords[why]({ path, detail }),
  not_ready: ({ detail }) => `Vouch is not ready yet: ${detail}.`,
  engine_unavailable: ({ detail }) => `The engine cannot start: ${detail}.`,
  device_unavailable: ({ device, detail }) => `The device ${device} cannot be used: ${detail}.`,
  input_size_unavailable: ({ size, detail }) => `The input size ${size} cannot be used: ${detail}.`,
  precision_unavailable: ({ precision, detail }) => `The precision ${precision} cannot be used: ${detail}.`,
  runtime_missing: ({ detail }) => `The runtime of the models is missing: ${detail}. Run vouch doctor.`,
  pack_unknown: ({ id, known }) =>
    `There is no model pack ${id}. ${known.length === 0 ? 'None is installed.' : `There is ${list(known, 'and')}.`}`,
  pack_broken: ({ pack, detail }) => `The model pack ${pack} cannot be used: ${detail}.`,
  queue_full: ({ detail }) => `Too many photos are waiting (${detail}); try again in a moment.`,
  timed_out: ({ limitMs }) => `The model did not answer within ${limitMs} ms.`,
  some_failed: ({ quarantined, failed }) =>
    `${counted(quarantined, 'file')} could not be judged${failed > 0 ? ` and ${counted(failed, 'photo')} failed` : ''}; the rest was.`,
  unauthorised: () => 'Give the token that vouch serve printed, as in Authorization: Bearer TOKEN.',
  foreign: ({ header, given: found }) =>
    `Only programs on this machine may ask, under 127.0.0.1 or localhost; ${header} says ${found || 'nothing'}.`,
  no_route: ({ method, path }) => `There is no ${method} ${path} here.`,
  body_too_large: ({ limit }) =>
    `The request has more than ${megabytes(limit)}; give a photo that is larger by its path.`,
  export_failed: ({ path, detail }) => `${path} could not be written: ${detail}.`,
  export_over_photo: ({ path }) => `${path} is a photo, and photos are never written to. Name another file.`,
  export_over_home: ({ path }) => `${path} belongs to Vouch itself and is not written over. Name another file.`,
  run_active: () => 'Photos are being judged. Wait for the scan to end; nothing was measured.',
  cancelled: () => 'Stopped. What was finished is kept; the next run goes on from there.',
};

/** The tables are exhaustive by type; TypeScript cannot follow that a code picks the words for its own parameters. */
const say = (words: Readonly<Record<string, (params: never) => string>>, { code, params }: Coded): string => {
  const sentence = (words[code] as ((params: unknown) => string) | undefined)?.(params) ?? code;
  return sentence.replace(/([.!?])\.$/, '$1');
};

const watchFixes: Readonly<Record<WatchLimit, string>> = {
  watches: 'The system has no more watches to give. Raise the limit: sudo sysctl fs.inotify.max_user_watches=524288',
  files:
    'The system lets no more files be watched. Raise the limit: sudo sysctl fs.inotify.max_user_instances=1024, or ulimit -n',
};
/** What to do where a folder cannot be watched but only looked through; null: nothing. */
export const watchFix = (state: WatchState): string | null =>
  state.mode === 'polling' ? watchFixes[state.limit] : null;

export const reasonText = (reason: VerdictReason): string => say(verdictWords, reason);
const degradationWords: Readonly<Record<DegradationCode, string>> = {
  put_off: 'Some photos were put off',
  paused: 'Judging paused',
  batch_reduced: 'Batches were made smaller',
  input_reduced: 'A smaller input size was used',
  grades_raised: 'Only decisions of grade high stand; judge again with --recheck degraded',
  device_fallback: 'Judging went on, on the CPU',
  precision_fallback: 'Some batches were judged in fp32',
};
const causeWords: Readonly<Record<DegradationCause, string>> = {
  memory: 'memory was short',
  latency: 'photos took too long',
  failures: 'an output was not finite',
  device: 'the device was lost',
  pinned: 'held by hand',
};
export const degradationText = (code: DegradationCode, cause: DegradationCause): string =>
  `${degradationWords[code]} (${causeWords[cause]})`;

export const quarantineText = (reason: QuarantineReason): string => say(quarantineWords, reason);
export const errorText = (error: VouchError | StoreError): string => say({ ...storeWords, ...otherWords }, error);

/** Every code that has a sentence. @internal Taken by tests. */
export const errorCodes: readonly (ErrorCode | StoreErrorCode)[] = Object.keys({
  ...storeWords,
  ...otherWords,
}) as (ErrorCode | StoreErrorCode)[];

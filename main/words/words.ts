/**
 * What errors, reasons and the like, which are data, say to a person: the one set of words of the command line, the
 * local server and the window, in each language. A code without a text does not compile.
 */
import type { DegradationCause, DegradationCode } from '../contract/degradation.ts';
import type { ErrorCode, VouchError } from '../contract/errors.ts';
import type { WatchLimit, WatchState } from '../contract/folder.ts';
import type { HealthFinding, HealthFix } from '../contract/health.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import en from './en.json' with { type: 'json' };
import { formatFor } from './format.ts';
import { type Coded, type Params, type Speaker, sentence, type Text } from './sentence.ts';
import zh from './zh-CN.json' with { type: 'json' };

export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];
/** Where a sentence is read: what to do next differs there. */
export type Place = 'cli' | 'http' | 'window';

type Texts<Code extends string> = Readonly<Record<Code, Text>>;
type Catalogue = Readonly<{
  quote: string;
  device: Readonly<Record<string, string>>;
  error: Texts<ErrorCode>;
  reason: Texts<VerdictReason['code']>;
  quarantine: Texts<QuarantineReason['code']>;
  cap: Texts<Cap['side']>;
  degradation: Texts<DegradationCode | 'line'>;
  cause: Texts<DegradationCause>;
  watchLimit: Texts<WatchLimit>;
  finding: Texts<HealthFinding['code']>;
  fix: Texts<HealthFix['code']>;
}>;
const catalogues: Readonly<Record<Language, Catalogue>> = { en, 'zh-CN': zh };

export type Words = Readonly<{
  errorText: (error: VouchError) => string;
  reasonText: (reason: VerdictReason) => string;
  quarantineText: (reason: QuarantineReason) => string;
  /** "YES is held at 0.60: Nothing here can check “running”." */
  capText: (cap: Cap) => string;
  degradationText: (degradation: Readonly<{ code: DegradationCode; cause: DegradationCause }>) => string;
  causeText: (cause: DegradationCause) => string;
  /** What to do where a folder cannot be watched but only looked through; null: nothing. */
  watchFix: (state: WatchState) => string | null;
  findingText: (finding: HealthFinding) => string;
  fixText: (fix: HealthFix) => string;
  /** “a”, “b” and “c”. */
  quoted: (words: readonly string[]) => string;
  /** Devices keep their own names in every language. */
  deviceName: (device: string) => string;
}>;

const make = (language: Language, place: Place): Words => {
  const words = catalogues[language];
  const say = (texts: Readonly<Record<string, Text>>, { code, params }: Coded): string =>
    sentence(texts[code] ?? '', { ...(params as Params), place }, speaker);
  const quote = (word: string): string => sentence(words.quote, { word }, speaker);
  const deviceName = (device: string): string => words.device[device] ?? device;
  const reasonText = (reason: VerdictReason): string => say(words.reason, reason);
  const quarantineText = (reason: QuarantineReason): string => say(words.quarantine, reason);
  const errorText = (error: VouchError): string => say(words.error, error);
  const causeText = (cause: DegradationCause): string => say(words.cause, { code: cause, params: {} });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format;
  const speaker: Speaker = {
    format: formatFor(language),
    plural: new Intl.PluralRules(language),
    percent: (share) => percent(share),
    quote,
    nested: { reason: reasonText, quarantine: quarantineText, error: errorText, device: deviceName },
  };
  return {
    errorText,
    reasonText,
    quarantineText,
    capText: ({ side, ...params }) => say(words.cap, { code: side, params }),
    degradationText: ({ code, cause }) => {
      const what = say(words.degradation, { code, params: {} });
      return say(words.degradation, { code: 'line', params: { what, cause: causeText(cause) } });
    },
    causeText,
    watchFix: (state) => (state.mode === 'polling' ? say(words.watchLimit, { code: state.limit, params: {} }) : null),
    findingText: (finding) => say(words.finding, finding),
    fixText: (fix) => say(words.fix, fix),
    quoted: (list) => speaker.format.list(list.map(quote)),
    deviceName,
  };
};

const made = new Map<string, Words>();

/** Made once for each language and place; formatters are slow to make. */
export const wordsIn = (language: Language, place: Place): Words => {
  const key = `${language} ${place}`;
  const known = made.get(key) ?? make(language, place);
  made.set(key, known);
  return known;
};

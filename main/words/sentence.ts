/**
 * One sentence out of a text of the catalogue and the parameters of a code. A text is a string with holes such as
 * `{{path}}` or `{{limit, bytes}}`; a list of texts, put one after another; or a choice by a parameter: `none` where it
 * is empty, its own value, the plural form of a number, else `other`. So a text says all that is needed to fill it, and a
 * new code needs no line of code here.
 */
import type { Seen } from '../contract/reason.ts';
import type { Format } from './format.ts';

export type Text = string | readonly Text[] | Choice;
type Choice = Readonly<{ by: string; [value: string]: Text | undefined }>;
export type Params = Readonly<Record<string, unknown>>;
export type Coded = Readonly<{ code: string; params: unknown }>;

export type Speaker = Readonly<{
  format: Format;
  plural: Intl.PluralRules;
  percent: (share: number) => string;
  quote: (word: string) => string;
  /** The texts of codes that are parameters themselves, by what the hole calls them. */
  nested: Readonly<Record<string, (value: never) => string>>;
}>;

const most = 3;
const faint = 0.05;
const isSeen = (value: unknown): value is Seen =>
  typeof value === 'object' && value !== null && 'name' in value && 'score' in value;
/** Of what was seen the best three, but for those all but unseen; any other list as it is. */
const telling = (items: readonly unknown[]): readonly unknown[] =>
  items.some(isSeen) ? items.filter((item) => isSeen(item) && item.score >= faint).slice(0, most) : items;

const caseOf = (value: unknown, choice: Choice, { plural }: Speaker): string => {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return telling(value).length === 0 ? 'none' : 'other';
  if (choice[String(value)] !== undefined) return String(value);
  return typeof value === 'number' && choice[plural.select(value)] !== undefined ? plural.select(value) : 'other';
};

/** The string with its holes that fits the parameters. */
const chosen = (text: Text, params: Params, speaker: Speaker): string => {
  if (typeof text === 'string') return text;
  if ('by' in text) {
    const choice = text as Choice;
    return chosen(choice[caseOf(params[choice.by], choice, speaker)] ?? choice.other ?? '', params, speaker);
  }
  return (text as readonly Text[]).map((part) => chosen(part, params, speaker)).join('');
};

type Filler = (value: never, speaker: Speaker) => string;
const fillers: Readonly<Record<string, Filler>> = {
  plain: (value: unknown) => String(value),
  rate: (value: number, { format }) => format.rate(value),
  score: (value: number, { format }) => format.score(value),
  percent: (value: number, { percent }) => percent(value),
  ms: (value: number, { format }) => format.ms(value),
  bytes: (value: number, { format }) => format.bytes(value),
  megapixels: (value: number, { format }) => format.integer(value / 1e6),
  language: (value: string, { format }) => format.language(value),
  /** "TIFF without a preview" */
  format: (value: string) => value.replace(/^\S+/, (name) => name.toUpperCase()),
  list: (value: readonly string[], { format }) => format.list(value),
  /** "cuda: not installed; dml: not installed" */
  lines: (value: readonly Readonly<Record<string, string>>[]) =>
    value.map((item) => Object.values(item).join(': ')).join('; '),
};

const usual = (value: unknown, { format, quote }: Speaker): string => {
  if (typeof value === 'number') return format.integer(value);
  if (!Array.isArray(value)) return String(value);
  return format.list(
    telling(value).map((item) => (isSeen(item) ? `${item.name} ${format.score(item.score)}` : quote(String(item)))),
  );
};

const holes = /\{\{(\w+)(?:, (\w+))?\}\}/g;
const goesOn = /^[.,;:。，；：]/;

export const sentence = (text: Text, params: Params, speaker: Speaker): string =>
  chosen(text, params, speaker).replace(
    holes,
    (hole, name: string, how: string | undefined, at: number, all: string) => {
      const fill = how === undefined ? usual : (fillers[how] ?? speaker.nested[how])!;
      const filled = fill(params[name] as never, speaker);
      // What a library says may bring its own full stop.
      return goesOn.test(all.slice(at + hole.length)) ? filled.replace(/[.。]\s*$/, '') : filled;
    },
  );

/**
 * Colloquial words and what the models know them by. A table is a YAML mapping from one to the other, which a person
 * may edit; `null` takes a word of the built-in table out.
 */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { type VouchError, vouchError } from '../contract/errors.ts';
import type { Result } from '../contract/result.ts';
import { removeHedges } from './hedges.ts';
import { outsideQuotes } from './quotes.ts';

export type Replacement = Readonly<{ from: string; to: string }>;
export type ColloquialTable = Readonly<{ words: ReadonlyMap<string, string>; pattern: RegExp | null }>;

const han = /\p{Script=Han}/u;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const wordKey = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();

/** Longest first, so that "kitty cat" goes before "kitty"; Chinese has no word boundaries to heed. */
const compile = (words: ReadonlyMap<string, string>): ColloquialTable => {
  const keys = [...words.keys()].sort((a, b) => b.length - a.length);
  const plain = keys.filter((key) => !han.test(key)).map(literal);
  const chinese = keys.filter((key) => han.test(key)).map(literal);
  const alternatives = [
    ...(plain.length > 0 ? [`(?<![\\p{L}\\p{N}_'’-])(?:${plain.join('|')})(?![\\p{L}\\p{N}_-])`] : []),
    ...chinese,
  ];
  return { words, pattern: alternatives.length > 0 ? new RegExp(alternatives.join('|'), 'giu') : null };
};

export const noColloquial: ColloquialTable = { words: new Map(), pattern: null };

const asCapital = (to: string, from: string): string =>
  /^\p{Lu}/u.test(from) ? to.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : to;

export const replaceColloquial = (
  text: string,
  { words, pattern }: ColloquialTable,
): Readonly<{ text: string; replaced: readonly Replacement[] }> => {
  if (pattern === null) return { text, replaced: [] };
  const replaced: Replacement[] = [];
  const changed = outsideQuotes(text, (plain) =>
    plain.replace(pattern, (from) => {
      const word = words.get(from.toLowerCase());
      if (word === undefined) return from;
      const to = asCapital(word, from);
      replaced.push({ from, to });
      return to;
    }),
  );
  return { text: changed, replaced };
};

/** Reads a table; entries of `base` stay unless the table says otherwise. */
export const readColloquial = (
  yaml: string,
  file: string,
  base: ColloquialTable = noColloquial,
): Result<ColloquialTable, VouchError<'colloquial_invalid'>> => {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const invalid = (offset: number, field: string, problem: string) =>
    ({
      ok: false,
      error: vouchError('colloquial_invalid', { file, line: Math.max(1, lines.linePos(offset).line), field, problem }),
    }) as const;

  const [broken] = document.errors;
  if (broken) return invalid(broken.pos[0], '', broken.message);
  if (document.contents === null) return { ok: true, value: base };
  if (!isMap(document.contents)) return invalid(0, '', 'must be a mapping of words to words');

  const words = new Map(base.words);
  const places = new Map<string, number>();
  for (const { key, value } of document.contents.items) {
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const from = isScalar(key) && typeof key.value === 'string' ? wordKey(key.value) : '';
    if (from === '') return invalid(offset, String(key), 'must be a word');
    const to = isScalar(value) ? value.value : value;
    if (to === null) words.delete(from);
    else if (typeof to !== 'string' || to.trim() === '')
      return invalid(offset, from, 'must be replaced by a word, or null');
    else {
      words.set(from, to.normalize('NFC').replace(/\s+/g, ' ').trim());
      places.set(from, offset);
    }
  }

  const table = compile(words);
  for (const [from, to] of words) {
    const again = replaceColloquial(to, table).text;
    if (again !== to) return invalid(places.get(from) ?? 0, from, `"${to}" would be replaced again, by "${again}"`);
    if (removeHedges(to).removed.length > 0) return invalid(places.get(from) ?? 0, from, `"${to}" is a hedge`);
  }
  return { ok: true, value: table };
};

/**
 * What becomes of a statement before a model reads it, all of it visible: hedges out, colloquial words replaced, split
 * into at most three parts joined by AND, each within the pack's token limit.
 */
import { createHash } from 'node:crypto';
import { withApostrophes, withoutListMark } from '../../models/adapters/plain-text.ts';
import { type VouchError, vouchError } from '../contract/errors.ts';
import type { Result } from '../contract/result.ts';
import type { NormalisedStatement } from '../contract/statement.ts';
import { type ColloquialTable, type Replacement, replaceColloquial } from './colloquial.ts';
import { removeHedges } from './hedges.ts';
import { guessLanguage } from './language.ts';
import { splitSentences } from './split.ts';

const mostParts = 3;

export type TokenLimit = Readonly<{ countTokens: (part: string) => number; maxTokens: number }>;
export type NormaliseOptions = TokenLimit & Readonly<{ colloquial: ColloquialTable }>;
export type Normalised = Result<NormalisedStatement, VouchError<'nothing_left'>>;

/** One spelling for each character, no control or zero-width characters but joiners, single spaces. */
const clean = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .normalize('NFC')
    .replace(/[\u200B\u2060\uFEFF]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Mends what taking words out leaves behind: doubled commas, stray spaces, a dangling "and", final punctuation. */
const tidy = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/\s+([,.;:!?，。；：！？、](?!\d))/gu, '$1')
    .replace(/([,，、])(?:\s*[,，、])+/gu, '$1')
    .replace(/[,，、]\s*(?=[.;!?。；！？])/gu, '')
    .replace(/^(?:[\s,;:!?，。；：！？、…]|\.(?!\d)|[-–—•*]\s|(?:and|but|or)\s)+/u, '')
    .replace(/(?:[\s,;:.!?，。；：！？、…]|\s(?:and|but|or)(?=[\s,;:.!?，。；：！？、…]*$))+$/u, '')
    .trim();

const emptyWords = new Set(
  'a an the it this that there is are was were be am and or but so to of i we 是 有 的'.split(' '),
);
const words = /[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu;
const denials = new Set(['no', 'not']);
const isNothingBut = (text: string, ...allowed: readonly ReadonlySet<string>[]): boolean =>
  (text.match(words) ?? []).every((word) => allowed.some((some) => some.has(word.toLowerCase())));
/** Nothing that could be looked for in a photo, nor turn round what else is said ("A cat? No."). */
const isEmpty = (text: string): boolean => isNothingBut(text, emptyWords);
/** The whole statement looks for nothing. */
const looksForNothing = (parts: readonly string[]): boolean =>
  parts.every((part) => isNothingBut(part, emptyWords, denials));

/** A "no" that stands by itself belongs to what it answers: a part of its own would be dropped. */
const withDenials = (parts: readonly string[]): readonly string[] => {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && (looksForNothing([part]) || looksForNothing([last]))) {
      joined.splice(-1, 1, `${last}, ${part}`);
    } else joined.push(part);
  }
  return joined;
};

type Settled = Readonly<{ parts: readonly string[]; removed: readonly string[]; replaced: readonly Replacement[] }>;

/** Splits and cleans until nothing changes any more: what is left of one sentence may be a new sentence or hedge. */
const settle = (text: string, colloquial: ColloquialTable): Settled => {
  const removed: string[] = [];
  const replaced: Replacement[] = [];
  let parts: readonly string[] = [text];
  // Each round takes something away; the bound only guards against a rule that would not.
  for (let round = 0; round < 50; round += 1) {
    const sentences = parts.flatMap(splitSentences).flatMap((sentence) => {
      const unlisted = withoutListMark(sentence);
      if (unlisted !== sentence) removed.push(sentence.slice(0, sentence.length - unlisted.length).trim());
      const plain = removeHedges(tidy(unlisted));
      const known = replaceColloquial(tidy(plain.text), colloquial);
      removed.push(...plain.removed);
      replaced.push(...known.replaced);
      const part = tidy(known.text);
      return isEmpty(part) ? [] : [part];
    });
    const next = withDenials(sentences);
    if (next.length === parts.length && next.every((part, i) => part === parts[i])) break;
    parts = next;
  }
  return { parts, removed, replaced };
};

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The longest beginning of a part, at a word's end, that `shorten` leaves something of within the limit. */
const withinLimit = (
  part: string,
  { countTokens, maxTokens }: TokenLimit,
  shorten: (beginning: string) => string | undefined,
): Readonly<{ kept: string | undefined; cut: string | undefined }> => {
  if (countTokens(part) <= maxTokens) return { kept: part, cut: undefined };
  const ends = [...segmenter.segment(part)].filter((s) => s.isWordLike).map((s) => s.index + s.segment.length);
  const fits = (end: number): boolean => countTokens(part.slice(0, end)) <= maxTokens;
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(ends[middle]!)) low = middle + 1;
    else high = middle;
  }
  for (let n = low; n > 0; n -= 1) {
    const end = ends[n - 1]!;
    const kept = shorten(part.slice(0, end));
    if (kept !== undefined && countTokens(kept) <= maxTokens) return { kept, cut: part.slice(end).trim() };
  }
  return { kept: undefined, cut: part };
};

const limit = (
  parts: readonly string[],
  tokens: TokenLimit,
  shorten: (beginning: string) => string | undefined,
): Readonly<{ parts: readonly string[]; cut: readonly string[]; tokens: number }> => {
  const fitted = parts.slice(0, mostParts).map((part) => withinLimit(part, tokens, shorten));
  const kept = fitted.flatMap((part) => part.kept ?? []);
  return {
    parts: kept,
    cut: [...fitted.flatMap((part) => part.cut ?? []), ...parts.slice(mostParts)],
    tokens: kept.reduce((sum, part) => sum + tokens.countTokens(part), 0),
  };
};

/** Normalising a part again gives that part. Fails with `nothing_left` where only hedges were written. */
export const normalise = (text: string, options: NormaliseOptions): Normalised => {
  const plain = withApostrophes(clean(text));
  const { parts, removed, replaced } = settle(plain, options.colloquial);
  const limited = limit(parts, options, (beginning) => {
    const [part] = settle(beginning, options.colloquial).parts;
    return part !== undefined && looksForNothing([part]) ? undefined : part;
  });
  if (looksForNothing(limited.parts)) return { ok: false, error: vouchError('nothing_left', { text, removed }) };
  return { ok: true, value: { ...limited, removed, replaced, language: guessLanguage(limited.parts.join(' ')) } };
};

/** The statement as it was written, in one part; only the token limit holds. For comparing with and without. */
export const asWritten = (text: string, tokens: TokenLimit): Normalised => {
  const part = clean(text);
  const limited = limit(looksForNothing([part]) ? [] : [part], tokens, (beginning) => beginning);
  if (limited.parts.length === 0) return { ok: false, error: vouchError('nothing_left', { text, removed: [] }) };
  return { ok: true, value: { ...limited, removed: [], replaced: [], language: guessLanguage(part) } };
};

/** SHA-256, hex, of all that a verdict depends on: a verdict of another hash is stale. */
export const hypothesisHash = ({ parts, cut, language }: NormalisedStatement): string =>
  createHash('sha256')
    .update(JSON.stringify([parts, cut, language]))
    .digest('hex');

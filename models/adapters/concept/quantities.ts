/**
 * Numbers as people write them, read before the text is tagged: what cannot be left to single words ("at most two",
 * "twenty-one", "1,000", "2-3", "a dozen or more") is replaced by a placeholder that the tagger takes for a numeral.
 */

/**
 * A number of things that a statement asks for: `least`, not one more if `exact`, that many and more if `vague`
 * ("several"), and never more than `most` where there is one.
 */
export type Count = Readonly<{ least: number; most?: number; exact: boolean; vague: boolean }>;

/** What a placeholder stands for: a count, or null for a number that nothing here can count by ("2.5", "about ten"). */
export type Quantity = Readonly<{ written: string; count: Count | null }>;

export type QuantityText = Readonly<{
  text: string;
  /** By placeholder, a token's text. */
  quantities: ReadonlyMap<string, Quantity>;
}>;

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen';
const units = new Map(small.split(' ').map((word, value) => [word, value]));
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, i) => [word, 10 * (i + 2)]),
);
const scales = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
]);

const oneWord = [...units.keys(), ...tens.keys(), ...scales.keys()].join('|');
const wordNumber = `(?:(?:half a|an?) (?=(?:dozen|hundred|thousand|million|billion)\\b))?(?:${oneWord})(?:(?:-| and | )(?:${oneWord}))*`;
const digitNumber = '\\d{1,3}(?:[ ,.\\u00a0\\u202f]\\d{3})+(?!\\d)|\\d+(?:[.,/]\\d+)?(?:[kmx×](?![a-z]))?';
const amount = `(?:${digitNumber}|${wordNumber}|[½⅓⅔¼¾])`;
/** "dozens of", "hundreds": many more than can be counted. */
const plenty =
  '(?:dozens|scores|hundreds|thousands|millions|billions|tons)(?: and (?:dozens|hundreds|thousands))?(?: of)?';

const atLeast = 'at least|not? (?:fewer|less) than|a minimum of|minimum|>=|≥';
const atMost = 'at most|not? more than|up to|a maximum of|maximum|<=|≤';
const above = 'more than|greater than|upwards? of|>';
const below = 'fewer than|less than|<';
const exactly = 'exactly|precisely|only|just';
const roughly = 'about|around|approximately|roughly|nearly|almost|circa|some|close to|~|≈|well over|well under';
/** Also places of things ("a bird over two cats"), so only read as a comparison where a count may begin. */
const aboveOrOver = '(?<=^\\s*|\\b(?:are|is|shows?|contains?|with|has|have|of|see) )(?:over|above|under|below)';

const before = `(?:(?<before>${[atLeast, atMost, above, below, exactly, roughly].join('|')}|${aboveOrOver})\\s*)?`;
const after = '(?<after>\\s*\\+|,? (?:or|and) (?:more|above|over|fewer|less|so)\\b| plus\\b)?';
const range = `(?<from>(?:between |from )?)(?<low>${amount})(?:\\s*[-–—]\\s*| to | or | and )(?<high>${amount})`;
const edge = '(?<![\\p{L}\\p{N}_.,/-])';
const end = '(?![\\p{L}\\p{N}_])(?![.,/-]\\d)';
const pattern = new RegExp(`${edge}${before}(?:${range}|(?<plenty>${plenty})|(?<one>${amount}))${after}${end}`, 'giu');

const valueOfWords = (words: readonly string[]): number | null => {
  let total = 0;
  let current = 0;
  let last = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const scale = scales.get(word);
    if (scale !== undefined) {
      current = Math.max(1, current) * scale;
      if (scale >= 1000) {
        total += current;
        current = 0;
      }
      last = scale;
      continue;
    }
    const value = units.get(word) ?? tens.get(word);
    if (value === undefined || value >= last) return null;
    // "twenty-one", but not "one two".
    if (current % 100 !== 0 && !(current % 10 === 0 && current % 100 >= 20 && value < 10)) return null;
    current += value;
    last = Number.POSITIVE_INFINITY;
  }
  return total + current;
};

/** The whole number that an amount stands for; null where it is none, or may be read in two ways ("2.000"). */
export const numberOf = (written: string): number | null => {
  const text = written.toLowerCase().trim();
  if (/^\d/.test(text)) {
    const [, digits = '', suffix = ''] = /^(.*?)([kmx×]?)$/.exec(text) ?? [];
    const plain = digits.replace(/(?<=\d)[ ,\u00a0\u202f](?=\d{3}(?!\d))/g, '');
    if (!/^\d+$/.test(plain)) return null;
    return Number(plain) * (suffix === 'k' ? 1000 : suffix === 'm' ? 1_000_000 : 1);
  }
  const half = text.startsWith('half a ');
  const words = text.replace(/^(?:half a|an?) /, '').split(/[\s-]+/);
  const value = valueOfWords(words.filter((word) => word !== 'and'));
  return value !== null && half ? value / 2 : value;
};

const none: Count = { least: 0, most: 0, exact: false, vague: false };
const fromTo = (least: number, most: number | null): Count =>
  most === null ? { least, exact: false, vague: true } : { least, most, exact: false, vague: false };

const matches = (words: string, text: string): boolean => new RegExp(`^(?:${words})$`, 'i').test(text);

/** The count that a comparison with a number claims; null where it claims none that can be counted. */
const compared = (value: number, comparison: string, ending: string): Count | null => {
  const more = /\+|more|above|over|plus/i.test(ending);
  const fewer = /fewer|less/i.test(ending);
  if (/so/i.test(ending) || (comparison !== '' && ending !== '')) return null;
  if (more || matches(atLeast, comparison)) return fromTo(value, null);
  if (fewer || matches(atMost, comparison)) return value === 0 ? none : fromTo(0, value);
  if (matches(above, comparison) || matches('over|above', comparison)) return fromTo(value + 1, null);
  if (matches(below, comparison) || matches('under|below', comparison)) return value > 0 ? fromTo(0, value - 1) : null;
  if (matches(exactly, comparison)) return value === 0 ? none : { least: value, exact: true, vague: false };
  if (comparison !== '') return null;
  return value === 0 ? none : { least: value, exact: false, vague: false };
};

const ranged = (low: string, high: string, comparison: string, ending: string): Count | null => {
  const [least, most] = [numberOf(low), numberOf(high)];
  if (least === null || most === null || least >= most || comparison !== '' || ending !== '') return null;
  return fromTo(least, most);
};

const least = new Map([
  ['dozens', 24],
  ['scores', 40],
  ['tons', 24],
  ['hundreds', 200],
  ['thousands', 2000],
  ['millions', 2_000_000],
  ['billions', 2_000_000_000],
]);

const first = 9001;

/** Numbers of one word up to twelve stand as they are: the noun phrase reads them, and "one" is often no number. */
const isPlain = (written: string, comparison: string, ending: string): boolean =>
  comparison === '' &&
  ending === '' &&
  (/^(?:[1-9]|1[0-2])$/.test(written) || (units.get(written.toLowerCase()) ?? 99) <= 12);

export const readQuantities = (text: string): QuantityText => {
  const quantities = new Map<string, Quantity>();
  const keep = (written: string, count: Count | null): string => {
    const placeholder = String(first + quantities.size);
    quantities.set(placeholder, { written: written.trim(), count });
    return placeholder;
  };
  const read = text.replace(pattern, (...args): string => {
    const written = String(args[0]);
    const groups = args.at(-1) as Readonly<Record<string, string | undefined>>;
    const { before: comparison = '', after: ending = '', low, high, one, from = '' } = groups;
    if (low !== undefined && high !== undefined) {
      const whole =
        from === '' && /^\p{L}/u.test(low)
          ? numberOf(written.slice(written.indexOf(low), written.length - ending.length))
          : null;
      // "twenty-one" and "a hundred and one" are one number; "one and two" are two, unless "between" says otherwise.
      if (whole !== null) return keep(written, compared(whole, comparison, ending));
      if (from === '' && / and /i.test(written)) return written;
      return keep(written, ranged(low, high, comparison, ending));
    }
    if (groups.plenty !== undefined) {
      const word = groups.plenty.toLowerCase().split(' ')[0]!;
      return keep(written, comparison === '' && ending === '' ? fromTo(least.get(word)!, null) : null);
    }
    const number = one!;
    if (isPlain(number, comparison, ending) && number.toLowerCase() !== 'zero') return written;
    const value = numberOf(number);
    return keep(written, value === null ? null : compared(value, comparison, ending));
  });
  return { text: read, quantities };
};

/**
 * The pack's trimmed WordNet (see models/tools/wordnet.ts for the file's shape): which nouns there are, what lies
 * above them, and which classes of the classifier (ImageNet) and the detector (COCO) lie at or below them.
 */

export type WordNet = Readonly<{
  /** Rows of the usual senses of a noun; empty when it is unknown or only rarely means something visible. */
  usual: (phrase: string) => readonly number[];
  /** Rows of all visible senses, the usual ones first. */
  all: (phrase: string) => readonly number[];
  /** Whether the noun as often means something else: an invisible thing, or several visible ones. */
  ambiguous: (phrase: string) => boolean;
  /** The row and everything above it. */
  ancestors: (row: number) => readonly number[];
  classifierAt: (row: number) => readonly number[];
  detectorAt: (row: number) => readonly number[];
  classifierUnder: (row: number) => readonly number[];
  detectorUnder: (row: number) => readonly number[];
  /** Names of the detector's classes. */
  detectorNames: readonly string[];
  /** Rows of a classifier class and of a detector class. */
  classifierRow: readonly number[];
  detectorRow: readonly number[];
  /** Information content in [0, 1] from the number of hyponyms (Seco, Veale and Hayes, ECAI 2004). */
  information: (row: number) => number;
  /** A readable name of a row. */
  name: (row: number) => string;
}>;

const none: readonly number[] = [];

/** One spelling for lookups: lower case, blanks for underscores and hyphens, the possessive apart. */
export const phraseKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_-]+/g, ' ')
    .replace(/\s*'s\b/g, " 's")
    .replace(/\s+/g, ' ')
    .trim();

const push = <K>(map: Map<K, number[]>, key: K, value: number): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

export function openWordNet(text: string): WordNet {
  const usual = new Map<string, number[]>();
  const rare = new Map<string, number[]>();
  const shared = new Set<string>();
  const parents: number[][] = [];
  const names: string[] = [];
  let detectorNames: readonly string[] = [];
  const at = { i: new Map<number, number[]>(), c: new Map<number, number[]>() };
  const rowOf = { i: [] as number[], c: [] as number[] };

  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('@detector\t')) {
      detectorNames = line.split('\t').slice(1);
      continue;
    }
    const row = parents.length;
    const [above = '', lemmas = '', marks = ''] = line.split('\t');
    parents.push(above === '' ? [] : above.split(',').map(Number));
    const words = lemmas.split(' ');
    names.push((words[0] ?? '').replace(/^[~?]/, '').replace(/_/g, ' '));
    for (const word of words) {
      if (word.startsWith('~')) push(rare, phraseKey(word.slice(1)), row);
      else push(usual, phraseKey(word.replace(/^\?/, '')), row);
      if (word.startsWith('?')) shared.add(phraseKey(word.slice(1)));
    }
    for (const mark of marks === '' ? [] : marks.split(',')) {
      const source = mark[0] === 'i' ? 'i' : 'c';
      push(at[source], row, Number(mark.slice(1)));
      rowOf[source][Number(mark.slice(1))] = row;
    }
  }

  const closure = new Map<number, readonly number[]>();
  const ancestors = (row: number): readonly number[] => {
    const known = closure.get(row);
    if (known) return known;
    const all = new Set([row]);
    for (const parent of parents[row] ?? none) for (const above of ancestors(parent)) all.add(above);
    const list = [...all];
    closure.set(row, list);
    return list;
  };

  const hyponyms = new Int32Array(parents.length);
  for (let row = 0; row < parents.length; row++) for (const above of ancestors(row)) hyponyms[above]! += 1;
  const under = (source: 'i' | 'c'): Map<number, number[]> => {
    const map = new Map<number, number[]>();
    rowOf[source].forEach((row, index) => {
      for (const above of ancestors(row)) push(map, above, index);
    });
    return map;
  };
  const classifier = under('i');
  const detector = under('c');
  const scale = Math.log(parents.length);

  return {
    usual: (phrase) => usual.get(phrase) ?? none,
    all: (phrase) => [...(usual.get(phrase) ?? none), ...(rare.get(phrase) ?? none)],
    ambiguous: (phrase) => shared.has(phrase) || usual.get(phrase)?.length !== 1,
    ancestors,
    classifierAt: (row) => at.i.get(row) ?? none,
    detectorAt: (row) => at.c.get(row) ?? none,
    classifierUnder: (row) => classifier.get(row) ?? none,
    detectorUnder: (row) => detector.get(row) ?? none,
    detectorNames,
    classifierRow: rowOf.i,
    detectorRow: rowOf.c,
    information: (row) => 1 - Math.log(Math.max(1, hyponyms[row] ?? 1)) / scale,
    name: (row) => names[row] ?? '',
  };
}

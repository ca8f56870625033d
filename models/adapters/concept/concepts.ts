/** From a noun phrase to a concept: the rows of WordNet, the classes and the detections that speak for it. */
import type { Lexicon } from './lexicon.ts';
import { phraseKey, type WordNet } from './wordnet.ts';

/**
 * object: classes or detections lie under it; person: people, nothing more; persons: people with a role, age or
 * gender; place: known only by what tends to be there; part: of a body; unseen: a visible noun that neither model knows.
 */
type ConceptKind = 'object' | 'person' | 'persons' | 'place' | 'part' | 'unseen';

export type Concept = Readonly<{
  name: string;
  kind: ConceptKind;
  rows: readonly number[];
  /** Indices of ImageNet classes and of COCO classes that are instances of it (or, for a place, tend to be there). */
  classes: readonly number[];
  detections: readonly number[];
  /** Whether it is just what one COCO class shows, so that the detector's silence counts. */
  exact: boolean;
  /** Whether it is of a kind that usually fills much of a photo: an animal, a vehicle. */
  large: boolean;
  /** Whether its absence can be told even where it is not the photo's subject. */
  deniable: boolean;
  /** COCO classes that it is a kind of. */
  detectionsAbove: readonly number[];
  /** The scene head that knows it, if one was fitted: see scenes.ts. */
  scene: string | undefined;
  /** ImageNet classes under the nearest ancestor that has more of them than the concept itself. */
  kin: readonly number[];
}>;

export type Concepts = Readonly<{
  /** The concept of a phrase, or undefined when no visible noun is written so. */
  find: (phrase: string) => Concept | undefined;
}>;

type Alias = Readonly<{
  targets: readonly string[];
  scene: string | undefined;
  suggestive: boolean;
  replaces: boolean;
}>;

export function parseAliases(text: string): ReadonlyMap<string, Alias> {
  const aliases = new Map<string, Alias>();
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^#.*$/, '').trim();
    const [left = '', right] = line.split(' = ');
    if (right === undefined) continue;
    const words = right.split(/\s+/);
    aliases.set(phraseKey(left.replace(/^! /, '')), {
      targets: words.filter((w) => w !== '~' && !w.startsWith('^')),
      scene: words.find((w) => w.startsWith('^'))?.slice(1),
      suggestive: words.includes('~'),
      replaces: left.startsWith('! '),
    });
  }
  return aliases;
}

const unique = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b);

export type ConceptSources = Readonly<{
  wordnet: WordNet;
  lexicon: Lexicon;
  aliases: ReadonlyMap<string, Alias>;
  detectorNames: readonly string[];
}>;

export function openConcepts({ wordnet, lexicon, aliases, detectorNames }: ConceptSources): Concepts {
  const detectorIndex = new Map(detectorNames.map((name, i) => [phraseKey(name), i]));
  const personRow = wordnet.detectorRow[0] ?? -1;
  const largeRows = new Set(lexicon.words('large').flatMap((word) => wordnet.usual(word)));
  const isLarge = (row: number): boolean => wordnet.ancestors(row).some((above) => largeRows.has(above));
  const isClassHere = (row: number): boolean => wordnet.classifierAt(row).length > 0;
  const known = (row: number): boolean =>
    wordnet.classifierUnder(row).length > 0 || wordnet.detectorUnder(row).length > 0;

  /**
   * The usual senses that a model covers, with the rare ones that are themselves a class ("crane", "mouse"); failing
   * those the rare senses that are covered ("whale"); failing those the usual senses.
   */
  const sensesOf = (phrase: string): readonly number[] => {
    const usual = wordnet.usual(phrase);
    const rare = wordnet.all(phrase).slice(usual.length);
    const covered = usual.filter(known);
    if (covered.length > 0) return unique([...covered, ...rare.filter(isClassHere)]);
    const exact = rare.filter(isClassHere);
    if (exact.length > 0) return exact;
    const fallback = rare.filter(known);
    return fallback.length > 0 ? fallback : usual;
  };

  const targetsOf = (alias: Alias, depth: number): { classes: number[]; detections: number[] } => {
    const classes: number[] = [];
    const detections: number[] = [];
    for (const target of alias.targets) {
      if (target.startsWith('c:')) {
        const index = detectorIndex.get(phraseKey(target.slice(2)));
        if (index === undefined) throw new Error(`aliases: no detector class ${target}`);
        detections.push(index);
      } else if (target.startsWith('@')) {
        const rows = wordnet.all(phraseKey(target.slice(1)));
        const here = rows.filter(isClassHere);
        const found = here.length > 0 ? here.flatMap(wordnet.classifierAt) : rows.flatMap(wordnet.classifierUnder);
        if (found.length === 0) throw new Error(`aliases: no class ${target}`);
        classes.push(...found);
      } else {
        const inner = aliases.get(phraseKey(target));
        const deeper = inner && depth < 4 ? targetsOf(inner, depth + 1) : { classes: [], detections: [] };
        const rows = inner?.replaces ? [] : sensesOf(phraseKey(target));
        classes.push(...rows.flatMap(wordnet.classifierUnder), ...deeper.classes);
        detections.push(...rows.flatMap(wordnet.detectorUnder), ...deeper.detections);
      }
    }
    return { classes, detections };
  };

  const kinOf = (rows: readonly number[], own: ReadonlySet<number>): readonly number[] => {
    let best: readonly number[] = [];
    let bestInformation = -1;
    for (const row of rows) {
      for (const above of wordnet.ancestors(row)) {
        const under = wordnet.classifierUnder(above);
        if (under.length <= own.size || !under.some((c) => !own.has(c))) continue;
        const information = wordnet.information(above);
        if (information > bestInformation) [best, bestInformation] = [under, information];
      }
    }
    return best;
  };

  const kindOf = (phrase: string, rows: readonly number[], alias: Alias | undefined, covered: boolean): ConceptKind => {
    if (lexicon.is('people', phrase)) return 'person';
    if (lexicon.is('persons', phrase)) return 'persons';
    if (lexicon.is('part', phrase) && !rows.some(isClassHere)) return 'part';
    if (lexicon.is('vague', phrase)) return 'unseen';
    if (alias?.suggestive || alias?.scene) return 'place';
    if (covered) return 'object';
    return rows.some((row) => wordnet.ancestors(row).includes(personRow)) ? 'persons' : 'unseen';
  };

  const build = (phrase: string): Concept | undefined => {
    const alias = aliases.get(phrase);
    const human = lexicon.is('people', phrase) || lexicon.is('persons', phrase);
    const vague = lexicon.is('vague', phrase);
    const rows = human ? [personRow] : vague ? [] : sensesOf(phrase);
    if (!alias && rows.length === 0 && !vague && !lexicon.is('part', phrase)) return undefined;
    const extra = alias ? targetsOf(alias, 0) : { classes: [], detections: [] };
    const own = alias?.replaces ? [] : rows;
    const classes = unique([...own.flatMap(wordnet.classifierUnder), ...extra.classes]);
    const detections = unique([...own.flatMap(wordnet.detectorUnder), ...extra.detections]);
    const kind = kindOf(phrase, rows, alias, classes.length + detections.length > 0);
    const ofDetector = alias?.replaces || rows.some((row) => wordnet.detectorAt(row).length > 0);
    const exact = kind === 'object' && detections.length === 1 && ofDetector;
    const large = rows.length > 0 && rows.every(isLarge);
    const above = unique(rows.flatMap(wordnet.ancestors).flatMap(wordnet.detectorAt));
    return {
      name: phrase,
      kind,
      rows,
      classes: kind === 'persons' ? [] : classes,
      detections: kind === 'persons' ? [0] : detections,
      exact,
      large,
      deniable: exact || (kind === 'object' && large && !wordnet.ambiguous(phrase)),
      detectionsAbove: above.filter((d) => !detections.includes(d) && d !== 0),
      scene: alias?.scene,
      kin: kinOf(rows, new Set(classes)),
    };
  };

  const cache = new Map<string, Concept | undefined>();
  return {
    find: (text) => {
      const phrase = phraseKey(text);
      if (!cache.has(phrase)) {
        if (cache.size > 5000) cache.clear();
        cache.set(phrase, build(phrase));
      }
      return cache.get(phrase);
    },
  };
}

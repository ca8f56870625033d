/** Reads the labelled photos of a shared data folder as evidence and as training rows. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Concepts } from '../adapters/concept/concepts.ts';
import { classAt, type Evidence, packEvidence } from '../adapters/concept/evidence.ts';
import type { Lexicon } from '../adapters/concept/lexicon.ts';
import { emptyFeatures, type Probe, type ProbeKind, prepareProbe, readFeatures } from '../adapters/concept/presence.ts';
import type { Tagger } from '../adapters/concept/tagger.ts';
import type { WordNet } from '../adapters/concept/wordnet.ts';
import type { Row } from './fit-logistic.ts';
import type { Captioned } from './fit-scenes.ts';
import { LAYOUT, openSessions, photoFeatures, photoViews } from './photo-features.ts';

export const setNames = ['statements', 'objects', 'scenes', 'entailment'] as const;
export type SetName = (typeof setNames)[number];
export type Pair = Readonly<{ photo: string; label: 'yes' | 'no' | 'maybe'; kind: string; statement: string }>;
export type Photos = ReadonlyMap<string, Evidence>;

/** What one photo's record says, as evidence. */
export function evidenceOf(record: Float32Array): Evidence {
  const part = (name: keyof typeof LAYOUT): Float32Array => record.subarray(LAYOUT[name][0], LAYOUT[name][1]);
  return packEvidence({
    whole: part('whole'),
    central: part('central'),
    maxima: part('maxima'),
    scores: part('scores'),
    classes: part('classes'),
    boxes: part('boxes'),
  });
}

type Index = Readonly<{ record: number; photos: readonly string[] }>;

/** Photos of a folder as raw records, from `NAME.f32` and `NAME.json` in the cache, else by running the pack's graphs. */
export async function readRecords(
  name: string,
  photos: string,
  onnx: string,
  cache: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, Float32Array>> {
  const [json, raw] = [join(cache, `${name}.json`), join(cache, `${name}.f32`)];
  if (!existsSync(json)) {
    const sessions = await openSessions(onnx);
    const names = readdirSync(photos)
      .filter((file) => /\.(jpe?g|png|webp)$/i.test(file))
      .sort()
      .slice(0, limit);
    const records: Float32Array[] = [];
    for (const file of names) records.push(await photoFeatures(sessions, await photoViews(join(photos, file))));
    const record = records[0]?.length ?? 0;
    writeFileSync(raw, Buffer.concat(records.map((r) => Buffer.from(r.buffer, r.byteOffset, r.byteLength))));
    writeFileSync(json, JSON.stringify({ record, photos: names }));
  }
  const index = JSON.parse(readFileSync(json, 'utf8')) as Index;
  const bytes = readFileSync(raw);
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return new Map(
    index.photos.map((photo, i) => [photo, values.subarray(i * index.record, (i + 1) * index.record)] as const),
  );
}

/** Rows of a tab-separated file, by the names in its first line. */
export function readTsv(file: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = header.split('\t');
  return lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
  });
}

export const readPairs = (file: string): readonly Pair[] =>
  readTsv(file).map((row) => ({
    photo: row.photo ?? '',
    label: row.label as Pair['label'],
    kind: row.kind ?? 'all',
    statement: row.statement ?? '',
  }));

/** A training row knows its photo, so that folds keep photos apart. */
export type PhotoRow = Row & Readonly<{ photo: string; kind: ProbeKind }>;

export type RowSources = Readonly<{
  shared: string;
  wordnet: WordNet;
  lexicon: Lexicon;
  concepts: Concepts;
  sets: Readonly<Record<SetName, Photos>>;
  captioned: ReadonlyMap<string, Captioned>;
}>;

/** Every class of a scene is known, but a statement's absences were chosen to mislead: the latter count for more. */
const gridWeight = 0.15;
const subjectWeight = 0.04;
const kindWeight = 0.5;
const captionWeight = 0.3;
/** Kinds of which COCO names nearly all that a scene shows, so that it also tells their absence. */
const wellCovered = ['animal', 'vehicle'];
const suspects = 5;
const places = ['lake', 'river', 'forest', 'park', 'road', 'room', 'kitchen', 'woods', 'garden', 'desert', 'stage'];

export function trainingRows(sources: RowSources): readonly PhotoRow[] {
  const { shared, wordnet, concepts, sets, captioned, lexicon } = sources;
  const rows: PhotoRow[] = [];
  const classOf = new Map(
    readFileSync(join(import.meta.dirname, 'wordnet-imagenet.tsv'), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([index, wnid]) => [wnid ?? '', Number(index)] as const),
  );
  const probes = new Map<string, Probe>();
  const probeOf = (phrase: string): Probe => {
    const known = probes.get(phrase);
    if (known) return known;
    const concept = concepts.find(phrase);
    if (!concept) throw new Error(`No concept for "${phrase}".`);
    const probe = prepareProbe(concept, wordnet, new Map());
    probes.set(phrase, probe);
    return probe;
  };
  const add = (photo: string, evidence: Evidence | undefined, phrase: string, holds: boolean, weight: number): void => {
    if (!evidence) return;
    const probe = probeOf(phrase);
    const x = emptyFeatures();
    readFeatures(probe, evidence, x);
    rows.push({ photo, kind: probe.kind, x, y: holds ? 1 : 0, weight });
  };
  const coveredBy = (kind: string): readonly string[] =>
    (concepts.find(kind)?.detections ?? []).map((index) => wordnet.detectorNames[index] ?? '');
  /** Classes of a kind that the classifier suspects in a photo that shows none of it. */
  const mistakenFor = (kind: string, evidence: Evidence): readonly string[] => {
    const classes = new Set(concepts.find(kind)?.classes ?? []);
    const names: string[] = [];
    for (let i = 0; i < suspects; i++) {
      const index = classAt(evidence, i);
      const name = wordnet.name(wordnet.classifierRow[index] ?? -1);
      if (classes.has(index) && concepts.find(name)?.classes.includes(index)) names.push(name);
    }
    return names;
  };
  const noun = (statement: string): string => statement.replace(/^a photo of /, '').replace(/^an? /, '');

  for (const { photo = '', counts = '' } of readTsv(join(shared, 'eval/scenes/counts.tsv'))) {
    const there = new Set(counts.split(', ').map((entry) => entry.replace(/^\d+ /, '')));
    const evidence = sets.scenes.get(photo);
    for (const name of wordnet.detectorNames) add(photo, evidence, name, there.has(name), gridWeight);
    for (const kind of wellCovered) {
      const holds = coveredBy(kind).some((name) => there.has(name));
      add(photo, evidence, kind, holds, kindWeight);
      if (!evidence || holds) continue;
      for (const name of mistakenFor(kind, evidence)) add(photo, evidence, name, false, kindWeight);
    }
  }
  for (const { photo = '', wnid = '' } of readTsv(join(shared, 'eval/objects/labels.tsv'))) {
    const row = wordnet.classifierRow[classOf.get(wnid) ?? -1];
    if (row === undefined) continue;
    const above = new Set(wordnet.ancestors(row).flatMap(wordnet.detectorAt));
    for (const name of wellCovered.flatMap(coveredBy)) {
      const holds = above.has(wordnet.detectorNames.indexOf(name));
      if (!holds) add(photo, sets.objects.get(photo), name, false, subjectWeight);
    }
  }
  for (const pair of readPairs(join(shared, 'eval/scenes/statements.tsv'))) {
    if (!/^(presence|absence)/.test(pair.kind)) continue;
    add(pair.photo, sets.scenes.get(pair.photo), noun(pair.statement), pair.label === 'yes', 1);
  }
  for (const pair of readPairs(join(shared, 'eval/objects/statements.tsv'))) {
    if (pair.kind === 'negation') continue;
    add(pair.photo, sets.objects.get(pair.photo), noun(pair.statement), pair.label === 'yes', 1);
  }
  const isPerson = (word: string): boolean => lexicon.is('people', word) || lexicon.is('persons', word);
  for (const [photo, { evidence, captions }] of captioned) {
    const people = captions.filter((words) => [...words].some(isPerson)).length;
    if (people === 0 || people >= 4) add(photo, evidence, 'person', people > 0, captionWeight);
    for (const place of places) {
      const times = captions.filter((words) => words.has(place)).length;
      if (times !== 1) add(photo, evidence, place, times > 1, times > 1 ? 1 : captionWeight / 3);
    }
  }
  return rows;
}

/** Captions of photos as sets of words and lemmas. */
export function readCaptions(file: string, tagger: Tagger, photos: Photos): ReadonlyMap<string, Captioned> {
  const captions = new Map<string, Set<string>[]>();
  for (const { photo = '', caption = '' } of readTsv(file)) {
    if (!photos.has(photo)) continue;
    const words = new Set(tagger(caption).flatMap((token) => [token.text, token.lemma]));
    captions.set(photo, [...(captions.get(photo) ?? []), words]);
  }
  return new Map([...captions].map(([photo, list]) => [photo, { evidence: photos.get(photo)!, captions: list }]));
}

/**
 * Refits the concept pack on the labelled photos of a shared data folder, and reports by folds of photos.
 *
 *   node models/tools/fit.ts --shared DIR [--pack DIR] [--cache DIR] [--captioned N] [--dry-run]
 *     [--yes P] [--no P] [--errors SET]
 *
 * Writes the pack's fit.json (its own sections; others are kept) fitted on everything, and prints figures where every
 * pair was judged by weights that never saw its photo. `--cache` keeps the photos' features between runs;
 * `--yes` and `--no` try other thresholds; `--errors` lists the wrongly decided pairs of a set.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openConcepts, parseAliases } from '../adapters/concept/concepts.ts';
import { type Fitted, presenceWeights } from '../adapters/concept/fitted.ts';
import { type Judge, judgePhoto } from '../adapters/concept/judge.ts';
import { openLexicon } from '../adapters/concept/lexicon.ts';
import { featureNames, type ProbeKind, probeKinds } from '../adapters/concept/presence.ts';
import { openScenes } from '../adapters/concept/scenes.ts';
import { type Hypothesis, readStatement, type StatementReader } from '../adapters/concept/statement.ts';
import { type WinkLike, winkTagger } from '../adapters/concept/tagger.ts';
import { openWordNet } from '../adapters/concept/wordnet.ts';
import {
  evidenceOf,
  type PhotoRow,
  type Photos,
  readCaptions,
  readPairs,
  readRecords,
  type SetName,
  setNames,
  trainingRows,
} from './fit-data.ts';
import { balance, fitLogistic } from './fit-logistic.ts';
import { figures, labelOf, type Scored, table, textOnly } from './fit-report.ts';
import { fitScene, sceneWords } from './fit-scenes.ts';

const folds = 5;
const ridge = 1;
const counts: Fitted['counts'] = { sure: 0.35, possible: 0.2 };

/** Stable fold of a photo, by its name. */
export function foldOf(photo: string): number {
  let hash = 7;
  for (const character of photo) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % folds;
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

function fitPresence(rows: readonly PhotoRow[]): Fitted['presence'] {
  const weightsOf = (kind: ProbeKind) => {
    const own = rows.filter((row) => row.kind === kind);
    const fitted = own.length === 0 ? undefined : fitLogistic(balance(own), ridge);
    return Object.fromEntries(featureNames.map((name, i) => [name, fitted ? round(fitted[i]!) : 0]));
  };
  return Object.fromEntries(probeKinds.map((kind) => [kind, weightsOf(kind)])) as Fitted['presence'];
}

const sceneSection = (captioned: ReturnType<typeof readCaptions>): Fitted['scenes'] =>
  Object.fromEntries(
    Object.keys(sceneWords).map((name) => {
      const { bias, weights } = fitScene(name, [...captioned.values()]);
      const kept = [...weights.entries()].filter(([, w]) => Math.abs(w) >= 0.02);
      return [
        name,
        { bias: round(bias), weights: Object.fromEntries(kept.map(([i, w]) => [i, Math.round(w * 100) / 100])) },
      ];
    }),
  );

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      shared: { type: 'string' },
      pack: { type: 'string' },
      cache: { type: 'string' },
      captioned: { type: 'string' },
      errors: { type: 'string' },
      yes: { type: 'string' },
      no: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  });
  if (!values.shared)
    throw new Error('usage: fit.ts --shared DIR [--pack DIR] [--cache DIR] [--captioned N] [--dry-run]');
  const shared = values.shared;
  const pack = values.pack ?? join(import.meta.dirname, '../packs/concept-en');
  const cache = values.cache ?? join(tmpdir(), 'vouch-fit');
  mkdirSync(cache, { recursive: true });

  const require = createRequire(import.meta.url);
  const wink = require('wink-nlp') as (model: unknown) => WinkLike;
  const tagger = winkTagger(wink(require('wink-eng-lite-web-model')));
  const text = (file: string): string => readFileSync(join(pack, file), 'utf8');
  const wordnet = openWordNet(text('wordnet.txt'));
  const lexicon = openLexicon(text('lexicon.txt'));
  const aliases = parseAliases(text('aliases.txt'));
  const concepts = openConcepts({ wordnet, lexicon, aliases, detectorNames: wordnet.detectorNames });

  const photosOf = async (cached: string, folder: string, limit?: number): Promise<Photos> => {
    const records = await readRecords(cached, join(shared, folder), join(pack, 'onnx'), cache, limit);
    return new Map([...records].map(([photo, record]) => [photo, evidenceOf(record)]));
  };
  const sets: Record<SetName, Photos> = {
    statements: await photosOf('photos', 'eval/photos'),
    objects: await photosOf('objects', 'eval/objects/photos'),
    scenes: await photosOf('scenes', 'eval/scenes/photos'),
    entailment: await photosOf('entailment', 'eval/entailment/photos'),
  };
  const captionPhotos = await photosOf('flickr8k', 'train/flickr8k/photos', Number(values.captioned ?? 5000));
  const captioned = readCaptions(join(shared, 'train/flickr8k/captions.tsv'), tagger, captionPhotos);
  const rows = trainingRows({ shared, wordnet, lexicon, concepts, sets, captioned });

  // The captioned photos are in no evaluated set, so their scene heads serve every fold.
  const scenes = sceneSection(captioned);
  const reader: StatementReader = { tagger, lexicon, concepts, wordnet, scenes: openScenes(scenes) };
  const judgeWith = (presence: Fitted['presence']): Judge => {
    const fitted = { presence, scenes, counts };
    const classNames = wordnet.classifierRow.map(wordnet.name);
    return { fitted, weights: presenceWeights(fitted), classNames, detectorNames: wordnet.detectorNames };
  };
  const judges = Array.from({ length: folds }, (_, fold) =>
    judgeWith(fitPresence(rows.filter((row) => foldOf(row.photo) !== fold))),
  );

  const file = join(pack, 'fit.json');
  if (!values['dry-run']) {
    const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, `${JSON.stringify({ ...before, presence: fitPresence(rows), counts, scenes })}\n`);
  }

  const manifest = JSON.parse(text('vouch.json')) as { thresholds: { yes: number; no: number } };
  const thresholds = {
    yes: Number(values.yes ?? manifest.thresholds.yes),
    no: Number(values.no ?? manifest.thresholds.no),
  };
  const hypotheses = new Map<string, Hypothesis>();
  const hypothesisOf = (statement: string): Hypothesis => {
    const known = hypotheses.get(statement) ?? readStatement(statement, reader);
    hypotheses.set(statement, known);
    return known;
  };
  process.stdout.write(`Thresholds: yes ${thresholds.yes}, no ${thresholds.no}. Judged by ${folds} folds of photos.\n`);
  for (const name of setNames) {
    const pairs = readPairs(join(shared, 'eval', name === 'statements' ? '' : name, 'statements.tsv'));
    const score = (photoOf: (photo: string) => string): readonly Scored[] =>
      pairs.map((pair) => {
        const judge = judges[foldOf(pair.photo)]!;
        const judgement = judgePhoto(judge, sets[name].get(photoOf(pair.photo))!, hypothesisOf(pair.statement));
        const label = labelOf(judgement, thresholds);
        if (values.errors === name && label !== pair.label && label !== 'maybe') {
          process.stdout.write(`${pair.photo}\t${pair.label}->${label}\t${pair.kind}\t${pair.statement}\n`);
        }
        return { pair, label };
      });
    const scored = score((photo) => photo);
    process.stdout.write(`${table(name, scored)}\n`);
    if (name !== 'entailment') continue;
    const decided = scored.filter((s) => s.label !== 'maybe').length;
    process.stdout.write(
      `Text only, as many decided: right ${(100 * textOnly(pairs, foldOf, decided)).toFixed(1)} %\n`,
    );
    const names = [...sets[name].keys()];
    const swapped = score((photo) => names[(names.indexOf(photo) + 97) % names.length]!);
    const yes = (list: readonly Scored[]): number =>
      list.filter((s) => s.pair.label === 'yes' && s.label === 'yes').length;
    process.stdout.write(`YES pairs called YES: ${yes(scored)} on their own photo, ${yes(swapped)} on another\n`);
    process.stdout.write(
      `On another photo: right among decided ${((figures(swapped).accuracyDecided ?? 0) * 100).toFixed(1)} %\n`,
    );
  }
}

if (import.meta.main) await main();

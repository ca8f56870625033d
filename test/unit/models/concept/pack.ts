/** The embedded pack's grounding files, opened once for the tests of this folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazyTagger } from '../../../../main/statements/tagger.ts';
import { openConcepts, parseAliases } from '../../../../models/adapters/concept/concepts.ts';
import { packEvidence, type Seen } from '../../../../models/adapters/concept/evidence.ts';
import { fittedSchema } from '../../../../models/adapters/concept/fitted.ts';
import { createConceptAdapter } from '../../../../models/adapters/concept/index.ts';
import { openLexicon } from '../../../../models/adapters/concept/lexicon.ts';
import { openScenes } from '../../../../models/adapters/concept/scenes.ts';
import { type Hypothesis, readStatement } from '../../../../models/adapters/concept/statement.ts';
import { openWordNet } from '../../../../models/adapters/concept/wordnet.ts';

const folder = join(import.meta.dirname, '../../../../models/packs/concept-en');
const read = (path: string): Uint8Array => readFileSync(join(folder, path));
const text = (path: string): string => readFileSync(join(folder, path), 'utf8');

const tagger = lazyTagger();
export const adapter = createConceptAdapter({ read, tagger });
export const wordnet = openWordNet(text('wordnet.txt'));
const lexicon = openLexicon(text('lexicon.txt'));
export const aliases = parseAliases(text('aliases.txt'));
export const concepts = openConcepts({ wordnet, lexicon, aliases, detectorNames: wordnet.detectorNames });
const { scenes } = fittedSchema.parse(JSON.parse(text('fit.json')));
/** What the adapter makes of a statement, at once. */
export const hypothesisOf = (statement: string): Hypothesis =>
  readStatement(statement, { tagger, lexicon, concepts, wordnet, scenes: openScenes(scenes) });

/** Index of an ImageNet class and of a COCO class by name. */
export const classIndex = (name: string): number =>
  wordnet.classifierRow.findIndex((row) => wordnet.name(row) === name);
export const detectorIndex = (name: string): number => wordnet.detectorNames.indexOf(name);

export type Box = Readonly<{ name: string; score: number; at: readonly [number, number, number, number] }>;

/** What the graphs would give for a photo of these classes (the rest of the mass spread evenly) and boxes. */
export function seen(classes: Readonly<Record<string, number>>, boxes: readonly Box[] = []): Seen {
  const rest = 1 - Object.values(classes).reduce((a, b) => a + b, 0);
  const whole = new Float32Array(1000).fill(rest / 1000);
  for (const [name, p] of Object.entries(classes)) whole[classIndex(name)]! += p;
  const maxima = new Float32Array(80).fill(0.02);
  const sorted = [...boxes].sort((a, b) => b.score - a.score);
  for (const box of sorted) {
    const index = detectorIndex(box.name);
    maxima[index] = Math.max(maxima[index]!, box.score);
  }
  return {
    whole,
    central: whole.slice(),
    maxima,
    scores: Float32Array.from(sorted, (box) => box.score),
    classes: sorted.map((box) => detectorIndex(box.name)),
    boxes: Float32Array.from(sorted.flatMap((box) => box.at)),
  };
}

export const evidence = (...of: Parameters<typeof seen>): Uint8Array => packEvidence(seen(...of));

/**
 * The adapter of the embedded pack: a statement's concepts, found in WordNet, grounded in what a classifier of 1,000
 * classes and a detector of 80 classes see in the photo.
 */
import type {
  AdapterTools,
  PhotoBatch,
  ReadPackFile,
  RunGraph,
  SeparableAdapter,
  Tensor,
  ViewSpec,
} from '../../../main/contract/seam.ts';
import { openConcepts, parseAliases } from './concepts.ts';
import { type Evidence, openEvidence, packEvidence } from './evidence.ts';
import { explainPhoto, looksFor, notCheckable } from './explain.ts';
import { fittedSchema, presenceWeights } from './fitted.ts';
import { type Judge, judgePhoto } from './judge.ts';
import { openLexicon } from './lexicon.ts';
import { probes } from './probes.ts';
import { openScenes } from './scenes.ts';
import { type Hypothesis, readStatement, readTokens, type StatementReader } from './statement.ts';
import type { Tagger } from './tagger.ts';
import { openWordNet } from './wordnet.ts';

const adapterVersion = '3';

const classifierSize = 260;
const detectorSize = 512;
const views: readonly ViewSpec[] = [
  { id: 'whole', width: classifierSize, height: classifierSize, fit: 'fill' },
  { id: 'central', width: classifierSize, height: classifierSize, fit: 'cover', crop: 0.875 },
  { id: 'padded', width: detectorSize, height: detectorSize, fit: 'contain', pad: 0 },
];

const floats = (tensor: Tensor | undefined, name: string): Float32Array => {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error(`The graph gave no float32 output "${name}".`);
};

async function encodePhotos(batch: PhotoBatch, run: RunGraph): Promise<readonly Uint8Array[]> {
  const { size } = batch;
  const image = (id: string, side: number): Readonly<Record<string, Tensor>> => {
    const data = batch.views[id];
    if (data?.length !== size * side * side * 3) throw new Error(`The batch lacks the view "${id}".`);
    return { image: { type: 'uint8', dims: [size, side, side, 3], data } };
  };
  const whole = floats((await run('classifier', image('whole', classifierSize))).probabilities, 'probabilities');
  const central = floats((await run('classifier', image('central', classifierSize))).probabilities, 'probabilities');
  const found = await run('detector', image('padded', detectorSize));
  const scores = floats(found.scores, 'scores');
  const maxima = floats(found.maxima, 'maxima');
  const boxes = floats(found.boxes, 'boxes');
  const classes = found.classes?.data;
  if (!classes) throw new Error('The graph gave no output "classes".');
  const rows = <T extends { subarray: (from: number, to: number) => T; length: number }>(data: T, i: number): T =>
    data.subarray((i * data.length) / size, ((i + 1) * data.length) / size);
  return Array.from({ length: size }, (_, i) =>
    packEvidence({
      whole: rows(whole, i),
      central: rows(central, i),
      maxima: rows(maxima, i),
      scores: rows(scores, i),
      classes: Array.from({ length: classes.length / size }, (_, j) =>
        Number(classes[(i * classes.length) / size + j]),
      ),
      boxes: rows(boxes, i),
    }),
  );
}

/** What statements are read and judged with. */
const openGrounding = (read: ReadPackFile, tagger: Tagger): Readonly<{ judge: Judge; reader: StatementReader }> => {
  const text = (path: string): string => new TextDecoder().decode(read(path));
  const wordnet = openWordNet(text('wordnet.txt'));
  const lexicon = openLexicon(text('lexicon.txt'));
  const { detectorNames } = wordnet;
  const concepts = openConcepts({ wordnet, lexicon, aliases: parseAliases(text('aliases.txt')), detectorNames });
  const fitted = fittedSchema.parse(JSON.parse(text('fit.json')));
  const classNames = wordnet.classifierRow.map(wordnet.name);
  return {
    judge: { fitted, weights: presenceWeights(fitted), classNames, detectorNames },
    reader: { tagger, lexicon, concepts, wordnet, scenes: openScenes(fitted.scenes) },
  };
};

/**
 * p(yes) from which a photo is likely to show what a text says, and below which it is not kept. Of labelled pairs that
 * are true, .5 finds 92 % of what stands in everyday scenes and 99 % of what a photo is of; .2, 98 % and more.
 */
const searchFit = { least: 0.2, likely: 0.5 };

/**
 * Opens the concept pack. `read` gives its files (wordnet.txt, aliases.txt, lexicon.txt, fit.json), which are read when
 * the first statement is: a session worker encodes photos only. That first use throws when a file is missing or
 * malformed. `tagger` splits and tags English text, see winkTagger.
 */
export function createConceptAdapter({
  read,
  tagger,
}: Pick<AdapterTools, 'read' | 'tagger'>): SeparableAdapter<Evidence, Hypothesis> {
  let grounding: ReturnType<typeof openGrounding> | undefined;
  const grounded = () => {
    grounding ??= openGrounding(read, tagger);
    return grounding;
  };
  return {
    kind: 'separable',
    version: adapterVersion,
    views,
    photoGraphs: ['classifier', 'detector'],
    textGraphs: [],
    probes,
    encodePhotos,
    openEvidence,
    encodeStatements: async (parts) => parts.map((part) => readStatement(part, grounded().reader)),
    notChecked: notCheckable,
    looksFor,
    countTokens: (part) => readTokens(part, tagger).tokens.length,
    judge: (evidence, hypothesis) => judgePhoto(grounded().judge, evidence, hypothesis),
    explain: (evidence, hypothesis) => explainPhoto(grounded().judge, evidence, hypothesis),
    score: (evidence, hypothesis) => judgePhoto(grounded().judge, evidence, hypothesis).p.yes,
    searchFit,
  };
}

/**
 * Adapters of the tiny random packs that tests and benchmarks build: they exercise every path of the engine and know
 * nothing about photos.
 */
import type { AdapterFactory, Judgement, PhotoBatch, Tensor, ViewSpec } from '../../main/contract/seam.ts';

export const fixtureFeatures = 8;
export const fixtureTokens = 8;

const viewOf = (side: number): ViewSpec => ({ id: 'whole', width: side, height: side, fit: 'fill' });
const evidenceVersion = 1;

const imageTensor = (batch: PhotoBatch, side: number): Tensor => ({
  type: 'uint8',
  dims: [batch.size, side, side, 3],
  data: batch.views.whole!,
});

/** FNV-1a. */
const hash = (text: string): number => {
  let value = 2166136261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
};

const judgement = (logits: ArrayLike<number>): Judgement => {
  const [yes = 0, no = 0, maybe = 0] = Array.from(logits, Math.exp);
  const sum = yes + no + maybe;
  return {
    p: { yes: yes / sum, no: no / sum, maybe: maybe / sum },
    caps: [],
    reason: { code: 'model_score', params: {} },
  };
};

const words = (part: string): string[] => part.split(/\s+/).filter(Boolean);

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Graph `model`: image uint8 [N,side,side,3] -> features float32 [N,8]. */
export const fixtureSeparable: AdapterFactory = (_read, _tag, side) => ({
  kind: 'separable',
  version: '1',
  views: [viewOf(side)],
  graphs: ['model'],
  async encodePhotos(batch, run) {
    const { features } = await run('model', { image: imageTensor(batch, side) });
    const values = features!.data as Float32Array;
    return Array.from({ length: batch.size }, (_, i) => {
      const row = Float32Array.from(values.subarray(i * fixtureFeatures, (i + 1) * fixtureFeatures));
      return Uint8Array.from([evidenceVersion, ...new Uint8Array(row.buffer)]);
    });
  },
  openEvidence: (bytes) => new Float32Array(Uint8Array.from(bytes.subarray(1)).buffer),
  encodeStatement: (part) =>
    Float32Array.from({ length: fixtureFeatures }, (_, i) => hash(`${i} ${part.toLowerCase()}`) / 2 ** 31 - 1),
  countTokens: (part) => words(part).length,
  judge(evidence: Float32Array, hypothesis: Float32Array) {
    const score = dot(evidence, hypothesis);
    return judgement([score, -score, 0]);
  },
  notChecked: () => [],
  explain: () => ({ concepts: [], notChecked: [] }),
  score: (evidence: Float32Array, hypothesis: Float32Array) => dot(evidence, hypothesis),
});

/** Graph `joint`: image uint8 [N,side,side,3], tokens int64 [N,8] -> logits float32 [N,3] (yes, no, maybe). */
export const fixtureJoint: AdapterFactory = (_read, _tag, side) => ({
  kind: 'joint',
  version: '1',
  views: [viewOf(side)],
  graphs: ['joint'],
  countTokens: (part) => words(part).length,
  async judgePairs(batch, pairs, run) {
    const tokens = BigInt64Array.from(
      pairs.flatMap(({ text }) => {
        const ids = words(text).map((word) => hash(word.toLowerCase()) % 1000);
        return Array.from({ length: fixtureTokens }, (_, i) => BigInt(ids[i] ?? 0));
      }),
    );
    const { logits } = await run('joint', {
      image: imageTensor(batch, side),
      tokens: { type: 'int64', dims: [batch.size, fixtureTokens], data: tokens },
    });
    const values = logits!.data as Float32Array;
    return Array.from({ length: batch.size }, (_, i) => judgement(values.subarray(i * 3, i * 3 + 3)));
  },
});

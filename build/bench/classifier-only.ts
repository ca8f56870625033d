/**
 * The embedded pack's classifier by itself, on one view: what `bench -- peers` holds against others. Its evidence is
 * the first class and its probability; it reads no statements.
 */
import type { AdapterFactory, ViewSpec } from '../../main/contract/seam.ts';

export const classifierSide = 260;
const classes = 1000;
const view: ViewSpec = { id: 'whole', width: classifierSide, height: classifierSide, fit: 'fill' };
const evidenceVersion = 1;

/** Graph `classifier`: image uint8 [N,260,260,3] -> probabilities float32 [N,1000]. */
export const classifierOnly: AdapterFactory = () => ({
  kind: 'separable',
  version: '1',
  views: [view],
  photoGraphs: ['classifier'],
  textGraphs: [],
  probes: [],
  async encodePhotos({ size, views }, run) {
    const image = { type: 'uint8' as const, dims: [size, classifierSide, classifierSide, 3], data: views[view.id]! };
    const { probabilities } = await run('classifier', { image });
    const values = probabilities!.data as Float32Array;
    return Array.from({ length: size }, (_, i) => {
      const row = values.subarray(i * classes, (i + 1) * classes);
      const first = row.reduce((best, p, at) => (p > row[best]! ? at : best), 0);
      const bytes = new DataView(new ArrayBuffer(7));
      bytes.setUint8(0, evidenceVersion);
      bytes.setUint16(1, first, true);
      bytes.setFloat32(3, row[first]!, true);
      return new Uint8Array(bytes.buffer);
    });
  },
  openEvidence: (bytes) => bytes,
  encodeStatements: async (parts) => parts.map(() => null),
  notChecked: () => [],
  countTokens: (part) => part.split(/\s+/).filter(Boolean).length,
  judge: () => ({ p: { yes: 0, no: 0, maybe: 1 }, caps: [], reason: { code: 'model_score', params: {} } }),
  explain: () => ({ concepts: [], notChecked: [] }),
  score: () => 0,
  searchFit: { least: 0.2, likely: 0.5 },
});

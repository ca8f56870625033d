import { describe, expect, it } from 'vitest';
import { packManifestSchema } from '../../../main/contract/pack.ts';
import { inputSizes } from '../../../main/packs/input-size.ts';

const packWith = (...sizes: readonly number[]) =>
  packManifestSchema.parse({
    ...{ id: 'p', version: '1', licence: 'MIT', adapter: 'a', languages: ['en'], labels: [] },
    ...{ precisions: ['fp32'], sha256: {}, inputs: sizes.map((size) => ({ size, maxBatch: 4 })) },
  });

describe('input sizes', () => {
  it('are, automatically, the one that the pack prefers and the smaller ones, in order', () => {
    expect(inputSizes(packWith(384, 224, 512, 256), 'auto')).toEqual([384, 256, 224]);
    expect(inputSizes(packWith(512), 'auto')).toEqual([512]);
  });

  it('stand alone where one was asked for, and are none where the pack lacks it', () => {
    expect(inputSizes(packWith(384, 224), 224)).toEqual([224]);
    expect(inputSizes(packWith(384, 224), 512)).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packManifestSchema } from '../../../main/contract/pack.ts';
import { adapterNamed } from '../../../main/packs/adapters.ts';
import { readPack } from '../../../main/packs/packs.ts';

const embedded = join(import.meta.dirname, '../../../models/packs/concept-en/vouch.json');
const usual = JSON.parse(readFileSync(embedded, 'utf8'));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vouch-pack-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (changes: object) => writeFileSync(join(dir, 'vouch.json'), JSON.stringify({ ...usual, ...changes }));

describe('a manifest', () => {
  it('says in which order the pack answers, and what its statements are put into', () => {
    write({ labels: ['no', 'yes'], promptTemplate: 'a photo of {statement}' });
    expect(readPack(dir).manifest).toMatchObject({ labels: ['no', 'yes'], promptTemplate: 'a photo of {statement}' });
    const { promptTemplate: _, ...without } = usual;
    expect(packManifestSchema.parse(without).promptTemplate).toBe('{statement}');
  });

  it.each([
    ['labels', ['yes', 'no', 'yes'], 'labels: names a label twice'],
    ['promptTemplate', 'a photo of {text}', 'promptTemplate: has no {statement}'],
  ])('whose %s make no sense is refused', (field, value, problem) => {
    write({ [field]: value });
    expect(() => readPack(dir)).toThrow(problem);
  });
});

describe('an adapter', () => {
  it('is found among the product’s own, else among those that the environment names', async () => {
    expect(await adapterNamed('concept')).toBeTypeOf('function');
    expect(await adapterNamed('fixture-text')).toBeTypeOf('function');
    await expect(adapterNamed('unheard-of')).rejects.toThrow('no adapter "unheard-of"');
    const { VOUCH_ADAPTERS } = process.env;
    delete process.env.VOUCH_ADAPTERS;
    try {
      await expect(adapterNamed('fixture-text')).rejects.toThrow('no adapter "fixture-text"');
    } finally {
      process.env.VOUCH_ADAPTERS = VOUCH_ADAPTERS;
    }
  });
});

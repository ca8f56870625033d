import fc from 'fast-check';
import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { idBytes, idText, newId, newSeed, splitVerdictId, verdictId } from '../../../main/store/sql/ids.ts';

it('makes a UUIDv7 of a judging and a photo, and finds both again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }), (at, photo) => {
      const seed = newSeed(at);
      const id = verdictId(seed, photo);
      expect([validate(id), version(id)]).toEqual([true, 7]);
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at);
      expect(splitVerdictId(id)).toEqual({ seed, photo });
    }),
  );
});

it('never gives two judgings of one moment the same ids', () => {
  const seeds = new Set(Array.from({ length: 10_000 }, () => newSeed(1_750_000_000_000).toString('hex')));
  expect(seeds.size).toBe(10_000);
});

it('reads back ids and refuses what is none', () => {
  const id = newId();
  expect(idBytes(idText(id))).toEqual(id);
  for (const text of ['', 'x', '0190163d']) expect([idBytes(text), splitVerdictId(text)]).toEqual([null, null]);
});

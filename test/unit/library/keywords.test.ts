import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keywordOf } from '../../../main/library/tagging/keywords.ts';
import { ownKeywords, sidecarText } from '../../../main/library/tagging/sidecar-text.ts';

describe('keywords', () => {
  test('lie below the prefix; a bar goes a level down', () => {
    expect(keywordOf('Vouch', 'dog')).toBe('Vouch|dog');
    expect(keywordOf('Work|Vouch', 'animal|dog')).toBe('Work|Vouch|animal|dog');
    expect(keywordOf('Vouch', ' | white\u0000\n dog |')).toBe('Vouch|white dog');
  });
});

describe('a sidecar of our own', () => {
  test('is known again, whatever the keywords, and the same ones make the same bytes', () => {
    const keyword = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => keywordOf('Vouch', text));
    fc.assert(
      fc.property(fc.uniqueArray(keyword, { minLength: 1, maxLength: 6 }), (keywords) => {
        const text = sidecarText(keywords);
        expect(ownKeywords(text)?.toSorted()).toEqual(keywords.toSorted());
        expect(sidecarText(keywords.toReversed())).toBe(text);
      }),
    );
  });

  test('is not our own once anything else stands in it', () => {
    const text = sidecarText(['Vouch|dog']);
    expect(ownKeywords(text.replace('<dc:subject>', '<xmp:Rating>4</xmp:Rating><dc:subject>'))).toBeNull();
    expect(ownKeywords(`${text} `)).toBeNull();
    expect(ownKeywords('')).toBeNull();
  });
});

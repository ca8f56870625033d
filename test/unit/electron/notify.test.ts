import { expect, it } from 'vitest';
import { digestText } from '../../../electron/digest-text.ts';
import { wordsFor } from '../../../electron/words.ts';

const english = wordsFor('en', 'en');

it.each([
  [38, 5, 0, '38 photos: 5 want review'],
  [1, 1, 0, '1 photo: 1 wants review'],
  [2, 0, 0, '2 photos: none wants review'],
  [3, 1, 2, '3 photos: 1 wants review\n2 could not be judged'],
  [0, 0, 1, '1 could not be judged'],
])('%i photos, %i wanting review, %i quarantined', (photos, wants, quarantined, text) => {
  expect(digestText(english, photos, wants, quarantined)).toBe(text);
  expect(digestText(wordsFor('zh-CN', 'en'), photos, wants, quarantined)).not.toContain('{');
});

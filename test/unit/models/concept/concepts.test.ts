import { describe, expect, test } from 'vitest';
import { verbStems } from '../../../../models/adapters/concept/noun-phrases.ts';
import { phraseKey } from '../../../../models/adapters/concept/wordnet.ts';
import { aliases, classIndex, concepts, detectorIndex, wordnet } from './pack.ts';

describe('the trimmed WordNet', () => {
  test('places all 1,000 classes and 80 detections', () => {
    expect(wordnet.classifierRow.filter((row) => row !== undefined)).toHaveLength(1000);
    expect(wordnet.detectorRow.filter((row) => row !== undefined)).toHaveLength(80);
  });

  test('knows what lies above a class', () => {
    const row = wordnet.classifierRow[classIndex('golden retriever')]!;
    const above = wordnet.ancestors(row).map(wordnet.name);
    expect(above).toEqual(expect.arrayContaining(['retriever', 'dog', 'animal']));
  });

  test('makes no container of a sports car', () => {
    const row = wordnet.classifierRow[classIndex('sports car')]!;
    expect(wordnet.ancestors(row).map(wordnet.name)).not.toContain('container');
  });

  test('holds no proper names', () => {
    expect(wordnet.all('london')).toEqual([]);
  });

  test('gives more information to narrower concepts', () => {
    const of = (phrase: string): number => wordnet.information(wordnet.usual(phrase)[0]!);
    expect(of('golden retriever')).toBeGreaterThan(of('dog'));
    expect(of('dog')).toBeGreaterThan(of('animal'));
  });
});

describe('phraseKey', () => {
  test.each([
    ['T-shirt', 't shirt'],
    ["plumber's_helper", "plumber 's helper"],
    ['  Golden  Retriever ', 'golden retriever'],
  ])('%s', (text, key) => expect(phraseKey(text)).toBe(key));
});

describe('verbStems', () => {
  test.each([
    ['running', 'run'],
    ['riding', 'ride'],
    ['skiing', 'ski'],
    ['stands', 'stand'],
  ])('%s comes from %s', (word, stem) => expect(verbStems(word)).toContain(stem));
});

describe('concepts', () => {
  test('every alias resolves', () => {
    for (const phrase of aliases.keys()) expect(concepts.find(phrase), phrase).toBeDefined();
  });

  test.each([
    ['mushroom', 'bolete'],
    ['rabbit', 'hare'],
    ['flower', 'daisy'],
    ['cow', 'ox'],
    ['crane', 'crane'],
    ['animal', 'tench'],
    ['jeans', 'jeans'],
  ])('%s covers the class %s', (phrase, name) => {
    expect(concepts.find(phrase)?.classes).toContain(classIndex(name));
  });

  test.each([
    ['dog', 'dog'],
    ['sofa', 'couch'],
    ['mobile phone', 'cell phone'],
    ['person', 'person'],
    ['woman', 'person'],
    ['vehicle', 'truck'],
  ])('%s looks at the detections of %s', (phrase, name) => {
    expect(concepts.find(phrase)?.detections).toContain(detectorIndex(name));
  });

  test.each([
    ['dog', 'object'],
    ['people', 'person'],
    ['girl', 'persons'],
    ['scientist', 'persons'],
    ['beach', 'place'],
    ['hand', 'part'],
    ['tulip', 'unseen'],
  ] as const)('%s is of kind %s', (phrase, kind) => expect(concepts.find(phrase)?.kind).toBe(kind));

  test('a word that names nothing visible has no concept', () => {
    for (const word of ['love', 'the', 'idea', 'qwertz']) expect(concepts.find(word)).toBeUndefined();
  });

  test('a terrier is a kind of what the detector calls dog', () => {
    expect(concepts.find('terrier')?.detectionsAbove).toEqual([detectorIndex('dog')]);
  });
});

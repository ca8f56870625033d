import { describe, expect, test } from 'vitest';
import type { TermGroup } from '../../../../models/adapters/concept/statement.ts';
import { adapter, hypothesisOf } from './pack.ts';

const show = (groups: readonly TermGroup[]): string =>
  groups
    .map((group) => group.terms.map((term) => term.atom.words).join(group.join === 'all' ? ' & ' : ' | '))
    .join('; ');
const read = (text: string) => {
  const { claim, present, absent } = hypothesisOf(text);
  return { present: show(present), absent: show(absent), unchecked: claim.unchecked, beyond: claim.beyond };
};
const countOf = (text: string) => hypothesisOf(text).present[0]?.terms[0]?.atom.count;

describe('what a statement claims to be there, and not to be there', () => {
  test.each([
    ['a dog', 'dog', ''],
    ['a photo of a hen-of-the-woods', 'hen - of - the - woods', ''],
    ['a photo of a ruffed grouse', 'ruffed grouse', ''],
    ["a photo of a plumber's helper", "plumber 's helper", ''],
    ['a piece of furniture', 'piece of furniture', ''],
    ['There is a bird in the picture.', 'bird', ''],
    ['an apple in a bowl', 'apple; bowl', ''],
    ['a cat and a dog', 'cat; dog', ''],
    ['a cat or a dog', 'cat | dog', ''],
    ['a person riding a motorcycle', 'person; motorcycle', ''],
    ['people are outside', 'people; outside', ''],
    ['there is no dog', '', 'dog'],
    ['no dog is in the photo', '', 'dog'],
    ["it isn't a cat", '', 'cat'],
    ["there aren't any people", '', 'people'],
    ["the photo doesn't contain any dogs", '', 'dogs'],
    ['a dog is not visible', '', 'dog'],
    ['nobody is in the picture', '', 'person'],
    ['no dog or cat', '', 'dog | cat'],
    ['neither a cat nor a dog', '', 'cat | dog'],
    ['no dogs and no cats', '', 'dogs; cats'],
    ['a desert without any people', 'desert', 'people'],
    ['no person is riding a bike', '', 'person & bike'],
  ])('%s', (text, present, absent) => expect(read(text)).toMatchObject({ present, absent }));
});

describe('counts', () => {
  test.each([
    ['two dogs', { least: 2, exact: false, vague: false }],
    ['exactly one person', { least: 1, exact: true, vague: false }],
    ['a single apple', { least: 1, exact: true, vague: false }],
    ['a group of people', { least: 3, exact: false, vague: true }],
    ['several cars', { least: 3, exact: false, vague: true }],
    ['a couple of dogs', { least: 2, exact: false, vague: false }],
    ['at least three birds', { least: 3, exact: false, vague: true }],
    ['12 sheep', { least: 12, exact: false, vague: false }],
    ['a sheep herd', { least: 3, exact: false, vague: true }],
  ])('%s', (text, count) => expect(countOf(text)).toEqual(count));

  test('a plain noun has none', () => expect(countOf('a dog')).toBeUndefined());
});

describe('words that are not checked', () => {
  test.each([
    ['a white dog', ['white']],
    ['a dog is sleeping', ['sleeping']],
    ['a city street at night', ['city', 'night']],
    ['the child jumps', ['jumps']],
  ])('%s weakens a YES', (text, words) => expect(read(text)).toMatchObject({ unchecked: words, beyond: [] }));

  test.each([
    'the dog has won a prize',
    'the people are brothers and sisters',
    'the men are scientists',
    'the bird has just eaten a fish',
    'the cat belongs to a neighbour',
    'the car was made in 1990',
    'the photo was taken in Paris',
    'the person is at home',
    'the dog is waiting for its owner',
    'the animal is two years old',
    'the woman is married',
    'the house is for sale',
    "the girl's name is Anna",
    'the cake tastes good',
    'the dog is not running',
    'the person will leave soon',
    'the children are friends',
  ])('"%s" is beyond any photo', (text) => {
    const { claim, caps } = hypothesisOf(text);
    expect(claim.beyond).not.toEqual([]);
    expect(caps.yes).not.toEqual([]);
    expect(caps.no).not.toEqual([]);
  });

  test('a statement without a noun has nothing to check', () => {
    const { caps } = hypothesisOf('it is there');
    expect(caps.yes[0]?.code).toBe('nothing_to_check');
    expect(caps.no[0]?.code).toBe('nothing_to_check');
  });
});

test('the adapter reads statements in order, and runs no graph for it', async () => {
  const texts = ['a dog', 'no cat', 'two people'];
  const noGraph = () => Promise.reject(new Error('no graph reads statements'));
  expect(await adapter.encodeStatements(texts, noGraph)).toEqual(texts.map(hypothesisOf));
});

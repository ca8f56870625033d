import { describe, expect, it } from 'vitest';
import { statementEntrySchema } from '../../../main/contract/statement.ts';
import type { StatementSetView, StatementView } from '../../../main/contract/views.ts';
import {
  draftOf,
  emptyDraft,
  entriesOf,
  entriesWith,
  isDouble,
  sameDraft,
} from '../../../renderer/data/statement-draft.ts';
import { addSample } from '../../../renderer/engine/history.ts';
import { uncheckedBeyond } from '../../../renderer/photo/unchecked.ts';
import { keyNames } from '../../../renderer/ui/keys.ts';
import { fileName, folderName, shortenPath } from '../../../renderer/ui/path.ts';

const statement = (id: string, text: string, more: Partial<StatementView> = {}): StatementView => ({
  id,
  setId: 'set',
  text,
  tag: null,
  yes: null,
  no: null,
  flag: null,
  note: null,
  normalised: { parts: [text], removed: [], replaced: [], cut: [], tokens: 2, language: 'en' },
  createdAt: 0,
  archivedAt: null,
  counts: { yes: 0, no: 0, maybe: 0 },
  ...more,
});
const set: StatementSetView = {
  id: 'set',
  name: 'Field',
  archivedAt: null,
  statements: [
    statement('a', 'a dog', { tag: 'dog', yes: 0.9, flag: 'yes' }),
    statement('b', 'a cat'),
    statement('c', 'an old one', { archivedAt: 1 }),
  ],
};

describe('a draft', () => {
  it('changes one statement, keeps the others, and leaves out the archived', () => {
    const entries = entriesWith(set, 'b', { ...emptyDraft, text: ' a tabby cat ', no: 0.8, note: ' ' });
    expect(entries).toEqual([
      { text: 'a dog', tag: 'dog', yes: 0.9, flag: 'yes' },
      { text: 'a tabby cat', no: 0.8 },
    ]);
    for (const entry of entries) expect(statementEntrySchema.safeParse(entry).success).toBe(true);
  });

  it('adds a new one at the end', () => {
    expect(entriesWith(set, null, { ...emptyDraft, text: 'a bird' }).map((entry) => entry.text)).toEqual([
      'a dog',
      'a cat',
      'a bird',
    ]);
    expect(entriesOf(set)).toHaveLength(2);
  });

  it('knows a double, but not of itself or of an archived one', () => {
    expect(isDouble(set, 'b', ' a dog ')).toBe(true);
    expect(isDouble(set, 'a', 'a dog')).toBe(false);
    expect(isDouble(set, null, 'an old one')).toBe(false);
  });

  it('knows whether anything changed', () => {
    const draft = draftOf(set.statements[0]!);
    expect(sameDraft(draft, { ...draft })).toBe(true);
    expect(sameDraft(draft, { ...draft, flag: 'none' })).toBe(false);
  });
});

describe('paths', () => {
  it('are cut between folders, the file name whole', () => {
    const path = '/home/mei/Pictures/2026-11 Field survey/day 2/IMG_2041.jpg';
    const short = shortenPath(path, 36);
    expect(short.length).toBeLessThanOrEqual(36);
    expect(short).toMatch(/^\/.*…\/.*IMG_2041\.jpg$/);
    expect(shortenPath(path, 100)).toBe(path);
  });

  it('are cut inside a name only where it alone is too long', () => {
    const short = shortenPath('/x/Panorama of the whole valley, stitched.tif', 20);
    expect(short.length).toBeLessThanOrEqual(20);
    expect(short.endsWith('.tif')).toBe(true);
  });

  it('may be those of Windows', () => {
    expect(fileName('C:\\Photos\\a.jpg')).toBe('a.jpg');
    expect(folderName('C:\\Photos\\Kenya\\')).toBe('Kenya');
    expect(shortenPath('C:\\Users\\mei\\Pictures\\Kenya\\a.jpg', 24)).toMatch(/…\\.*a\.jpg$/);
  });
});

describe('key names', () => {
  it.each([
    ['$mod+k', ['Ctrl', 'K']],
    ['[Shift]+?', ['?']],
    ['[Shift]+Equal', ['+']],
    ['Shift+ArrowLeft', ['Shift', '←']],
    ['Escape', ['Esc']],
  ] as const)('%s is %j', (keys, names) => expect(keyNames(keys, false)).toEqual(names));

  it('are those of a Mac on a Mac', () => expect(keyNames('$mod+k', true)).toEqual(['⌘', 'K']));
});

describe('words that could not be checked', () => {
  it('are said once', () => {
    expect(
      uncheckedBeyond(
        ['running', 'happy', 'grass'],
        { code: 'words_not_checked', params: { words: ['running'], evidence: [] } },
        [{ side: 'yes', limit: 0.6, reason: { code: 'concept_unknown', params: { words: ['grass'] } } }],
      ),
    ).toEqual(['happy']);
  });
});

describe('the figures of the engine', () => {
  const sample = (at: number) => ({
    at,
    photosPerSecond: 1,
    p50: null,
    p95: null,
    p99: null,
    batch: 1,
    queue: 0,
    memoryMb: 1,
  });

  it('keep ten minutes, and one a second', () => {
    let samples: ReturnType<typeof addSample> = [];
    for (let at = 0; at <= 11 * 60_000; at += 500) samples = addSample(samples, sample(at));
    expect(samples.at(-1)!.at - samples[0]!.at).toBeLessThanOrEqual(10 * 60_000);
    expect(samples.length).toBeLessThanOrEqual(700);
    expect(samples.length).toBeGreaterThan(500);
  });
});

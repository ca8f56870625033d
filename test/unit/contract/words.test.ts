import { describe, expect, it } from 'vitest';
import { vouchError } from '../../../main/contract/error.ts';
import { type QuarantineReason, quarantineReasonSchema } from '../../../main/contract/photo.ts';
import { type VerdictReason, verdictReasonSchema } from '../../../main/contract/reason.ts';
import { errorCodes, errorText, quarantineText, reasonText } from '../../../main/words/english.ts';

const labrador = { name: 'Labrador retriever', score: 0.912 };

describe('a verdict’s reason in words', () => {
  it.each<[VerdictReason, string]>([
    [{ code: 'seen', params: { concept: 'dog', evidence: [labrador] } }, 'Saw a dog (Labrador retriever, 0.91).'],
    [{ code: 'not_seen', params: { concept: 'elephant', evidence: [] } }, 'Did not see an elephant.'],
    [{ code: 'not_seen', params: { concept: 'dogs', evidence: [] } }, 'Did not see dogs.'],
    [{ code: 'seen', params: { concept: 'snow', evidence: [] } }, 'Saw snow.'],
    [{ code: 'seen', params: { concept: 'the bus', evidence: [] } }, 'Saw the bus.'],
    [{ code: 'seen', params: { concept: 'bus', evidence: [] } }, 'Saw a bus.'],
    [
      { code: 'words_not_checked', params: { words: ['running'], evidence: [labrador] } },
      "Saw Labrador retriever (0.91). Nothing in this pack can check 'running'.",
    ],
    [
      { code: 'words_not_checked', params: { words: ['old', 'happy'], evidence: [] } },
      "Nothing in this pack can check 'old' or 'happy'.",
    ],
    [
      { code: 'count_not_reached', params: { concept: 'dogs', wanted: 3, found: 1 } },
      "Looked for 3 of 'dogs' and found 1.",
    ],
    [
      { code: 'not_all_checked', params: { cut: ['a cat', 'a cow'] } },
      "Only the beginning of the statement was checked; left out: 'a cat' and 'a cow'.",
    ],
  ])('%j', (reason, sentence) => {
    expect(reasonText(reason)).toBe(sentence);
  });
});

/** One reason of each code, with parameters made up from the schema. */
const examples = <R>(options: readonly { unwrap: () => { shape: { code: { value: string }; params: unknown } } }[]) => {
  const filled = { concept: 'dog', evidence: [labrador], words: ['old'], cut: ['a cat'], wanted: 2, found: 1 };
  const more = {
    language: 'zh',
    standardDeviation: 3.1,
    limitMs: 5000,
    format: 'heic',
    error: 'no such box',
    times: 2,
  };
  const sizes = { width: 9, height: 9, limit: 1e8, bytes: 2e9, host: 'image' };
  return options.map((option) => ({
    code: option.unwrap().shape.code.value,
    params: { ...filled, ...more, ...sizes },
  })) as R[];
};

describe('every code', () => {
  const reasons = examples<VerdictReason>(verdictReasonSchema.options);
  const quarantined = examples<QuarantineReason>(quarantineReasonSchema.options);
  it('of a verdict has a sentence of its own', () => {
    const sentences = reasons.map(reasonText);
    expect(new Set(sentences).size).toBe(verdictReasonSchema.options.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
  });
  it('of quarantine has a sentence of its own', () => {
    const sentences = quarantined.map(quarantineText);
    expect(new Set(sentences).size).toBe(quarantineReasonSchema.options.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
  });
  it('of an error has a sentence, without holes', () => {
    const params = {
      problem: 'Give a folder',
      path: '/a',
      detail: 'broken',
      error: 'broken',
      file: 'a.yaml',
      line: 3,
      field: 'name',
      reason: { code: 'empty_file', params: {} },
      text: 'maybe',
      removed: ['maybe'],
      name: 'x',
      id: 'y',
      what: 'photo',
      known: ['a', 'b'],
      pack: 'p',
      missing: 3,
      target: 0.05,
      device: 'cuda',
      precision: 'fp16',
      size: 48,
      limit: 100,
      limitMs: 5,
      quarantined: 2,
      failed: 0,
      parent: '/b',
      home: '/h',
      pid: 7,
      setAside: '/h/x',
      backup: '/h/y',
      why: 'read_only',
      header: 'Host',
      given: 'a.example',
      method: 'GET',
    };
    for (const code of errorCodes) {
      const sentence = errorText({ code, params, retryable: false } as unknown as Parameters<typeof errorText>[0]);
      expect(sentence, code).not.toMatch(/undefined|null|NaN|\[object/);
      expect(sentence, code).toMatch(/^.{8,}/);
    }
  });
});

describe('an error in words', () => {
  it.each([
    [
      vouchError('nothing_left', { text: 'probably, perhaps', removed: ['probably', 'perhaps'] }),
      "Nothing is left of the statement 'probably, perhaps' once 'probably' and 'perhaps' are taken out.",
    ],
    [
      vouchError('set_invalid', { file: 'a.yaml', line: 4, field: 'statements[0].yes', problem: 'must be at most 1' }),
      'a.yaml, line 4: statements[0].yes must be at most 1.',
    ],
    [
      vouchError('photo_unusable', {
        path: 'a.jpg',
        reason: { code: 'not_an_image', params: { found: 'plain text' } },
      }),
      'a.jpg: The file is no image; it holds plain text.',
    ],
    [{ code: 'not_found', params: { verdict: 'v1' }, retryable: false } as const, 'There is no verdict v1.'],
    [
      {
        code: 'store_corrupt',
        params: { setAside: '/h/x', backup: '/h/b', problem: 'malformed' },
        retryable: false,
      } as const,
      'The database is damaged: malformed. It was kept as /h/x. Bring back the newest backup: vouch restore /h/b',
    ],
  ])('%j', (error, sentence) => {
    expect(errorText(error)).toBe(sentence);
  });
});

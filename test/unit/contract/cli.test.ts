import { describe, expect, it } from 'vitest';
import { judgeDocumentSchema, scanDocumentSchema, verdictsDocumentSchema } from '../../../main/contract/cli.ts';

const model = { id: 'concept-en', version: '1.0.0', sha256: 'a'.repeat(64) };
const proof = { nodesOnDevice: 90, nodesInAll: 92, probeMs: 41.5, agreesWithCpu: true, maxDifference: 0 };
const device = { requested: 'auto', used: 'cpu', proof };

const scan = {
  run: '0192f3a0-0000-7000-8000-000000000000',
  photos: { found: 2, judged: 1, cached: 0, quarantined: 1, ignored: 3 },
  verdicts: { yes: 1, no: 0, maybe: 0 },
  quarantined: [{ path: 'x.jpg', reason: 'The file is empty.', reasonCode: 'empty_file' }],
  seconds: 1.2,
  photosPerSecond: 0.8,
  pairsPerSecond: 0.8,
  latencyMs: { mean: 90, p50: 90, p95: 90, p99: 90 },
  batch: { mode: 'auto', mean: 1, max: 1 },
  device,
  precision: 'fp32',
  model,
  degradation: [{ code: 'batch_reduced', cause: 'memory', since: '2026-01-02T03:04:05.678Z', until: null }],
};

describe('the scan document', () => {
  it('takes a full run and one that came from the cache', () => {
    expect(scanDocumentSchema.parse(scan)).toEqual(scan);
    const cached = {
      ...scan,
      latencyMs: null,
      precision: null,
      batch: { mode: 'fixed', mean: null, max: null },
      device: { requested: 'cpu', used: null, proof: null },
    };
    expect(scanDocumentSchema.parse(cached)).toEqual(cached);
  });

  it.each([
    ['a field that is not in the table', { ...scan, extra: 1 }],
    ['a reason code that does not exist', { ...scan, quarantined: [{ path: 'x', reason: 'x', reasonCode: 'x' }] }],
    ['upper-case labels', { ...scan, verdicts: { YES: 1, NO: 0, MAYBE: 0 } }],
    ['a missing field', { ...scan, device: undefined }],
    [
      'a local time',
      { ...scan, degradation: [{ code: 'paused', cause: 'memory', since: '2026-01-02T03:04:05', until: null }] },
    ],
  ])('refuses %s', (_, document) => {
    expect(scanDocumentSchema.safeParse(document).success).toBe(false);
  });
});

describe('the judge document', () => {
  const judge = {
    label: 'maybe',
    lean: null,
    confidence: null,
    grade: 'low',
    p: null,
    caps: [],
    reason: 'The photo is flat.',
    reasonCode: 'flat',
    explanation: null,
    sent: { parts: ['a dog'], tokens: 2, removed: ['probably'], replaced: [], cut: [] },
    prescreen: { sharpness: 1, deviation: 2, blurred: true, flat: true, small: false, ms: 3 },
    timingMs: { decode: 1, prescreen: 1, encode: 0, judge: 0, total: 3 },
    device,
    precision: 'fp32',
    model,
  };
  it('takes a flat photo, which has no p', () => {
    expect(judgeDocumentSchema.parse(judge)).toEqual(judge);
  });
  it('refuses a probability above 1', () => {
    expect(judgeDocumentSchema.safeParse({ ...judge, p: { yes: 1.2, no: 0, maybe: 0 } }).success).toBe(false);
  });
});

describe('the verdicts document', () => {
  const item = {
    id: 'v',
    photo: 'p',
    path: '/a/b.jpg',
    statement: 'a dog',
    label: 'yes',
    effectiveLabel: 'no',
    lean: 'yes',
    confidence: 0.97,
    grade: 'high',
    reason: 'Saw a dog.',
    reasonCode: 'seen',
    damaged: false,
    reviewed: true,
    model: 'concept-en',
    precision: 'int8',
    device: 'cpu',
    at: '2026-01-02T03:04:05.678Z',
  };
  it('takes a page', () => {
    expect(verdictsDocumentSchema.parse({ total: 7, items: [item] }).items[0]).toEqual(item);
  });
  it('refuses a number for a time', () => {
    expect(verdictsDocumentSchema.safeParse({ total: 7, items: [{ ...item, at: 1 }] }).success).toBe(false);
  });
});

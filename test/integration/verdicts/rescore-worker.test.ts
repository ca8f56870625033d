import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noMarks } from '../../../main/policy/policy.ts';
import { openRescorer, type Rescorer } from '../../../main/verdicts/rescore.ts';
import type { PhotoToJudge, RescoreSetup } from '../../../main/verdicts/rescore-protocol.ts';
import { directionOf } from '../../fixtures/adapters.ts';
import { handlesOf, hold } from './hold.ts';

const root = resolve(import.meta.dirname, '../../..');
const workerUrl = new URL('../../../main/judging/worker/rescore-worker.ts', import.meta.url);

let packDir: string;
beforeAll(() => {
  packDir = mkdtempSync(join(tmpdir(), 'vouch-pack-'));
  writePack('fixture-separable');
});
afterAll(() => rmSync(packDir, { recursive: true }));

const writePack = (name: string, more: object = {}) =>
  writeFileSync(
    join(packDir, 'vouch.json'),
    JSON.stringify({
      id: 'tiny',
      version: '1',
      licence: 'MIT',
      adapter: name,
      languages: ['en'],
      labels: ['yes', 'no', 'maybe'],
      maxTokens: 6,
      inputs: [{ size: 32, maxBatch: 4 }],
      thresholds: { yes: 0.6, no: 0.7 },
      precisions: ['fp32'],
      sha256: {},
      ...more,
    }),
  );

const setup = (more: Partial<RescoreSetup> = {}): RescoreSetup => ({
  packDir,
  home: packDir,
  graphCache: null,
  colloquial: { builtin: join(root, 'resources/statements/colloquial.yaml'), user: null },
  normalise: true,
  ...more,
});

let opened: Rescorer | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (more: Partial<RescoreSetup> = {}): Promise<Rescorer> => {
  const result = await openRescorer(workerUrl, setup(more));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  opened = result.value;
  return result.value;
};

/** Evidence on which the fixture says `yes` to a part (or `no` to it) by a wide margin. */
const evidenceFor = (part: string, sign: 1 | -1): Uint8Array => {
  const row = directionOf(part).map((value) => value * 4 * sign);
  return Uint8Array.from([1, ...new Uint8Array(row.buffer)]);
};
const photo = (seen: PhotoToJudge['seen'], marks: Partial<PhotoToJudge['marks']> = {}): PhotoToJudge => ({
  seen,
  marks: { ...noMarks, ...marks },
});

describe('the re-score worker', () => {
  it('prepares statements: normalised, hashed, with thresholds of statement and pack', async () => {
    const rescorer = await open();
    expect(rescorer.pack).toMatchObject({ kind: 'separable', id: 'tiny', adapterVersion: '1' });
    const [dog, plain, none, chinese] = await rescorer.read([
      { key: 1, text: 'Probably a doggo', yes: 0.9 },
      { key: 2, text: 'a dog' },
      { key: 3, text: 'perhaps, maybe' },
      { key: 4, text: '一只狗' },
    ]);
    expect(dog).toMatchObject({
      ok: true,
      value: { key: 1, normalised: { parts: ['a dog'], removed: ['Probably'] }, thresholds: { yes: 0.9, no: 0.7 } },
    });
    if (!dog?.ok || !plain?.ok) throw new Error('unexpected');
    expect(dog.value.hypothesisHash).toBe(plain.value.hypothesisHash);
    expect(rescorer.statementCache()).toEqual({ hits: 1, misses: 1 });
    expect(none).toMatchObject({ ok: false, error: { code: 'nothing_left' } });
    expect(chinese).toMatchObject({ ok: true, value: { languageSupported: false, parts: [] } });
  });

  it('judges photos against statements, with raw p to store', async () => {
    const rescorer = await open();
    const held = await hold(rescorer, [
      { key: 1, text: 'a dog' },
      { key: 2, text: '一只狗' },
      { key: 3, text: 'a dog', flag: 'yes' },
    ]);
    const rows = await rescorer.judge(
      [
        photo({ kind: 'evidence', evidence: evidenceFor('a dog', 1) }),
        photo({ kind: 'evidence', evidence: evidenceFor('a dog', -1) }, { damaged: true }),
        photo({ kind: 'flat', deviation: 2.5 }),
        photo({ kind: 'timed_out', limitMs: 1200 }),
      ],
      handlesOf(held),
    );
    expect(rows.map((row) => row.map(({ label }) => label))).toEqual([
      ['yes', 'maybe', 'yes'],
      ['no', 'maybe', 'no'],
      ['maybe', 'maybe', 'maybe'],
      ['maybe', 'maybe', 'maybe'],
    ]);
    expect(rows[0]?.[0]).toMatchObject({ grade: 'high', wantsReview: false, explanation: null, statement: 1 });
    expect(rows[0]?.[1]).toMatchObject({ reason: { code: 'language_unsupported', params: { language: 'zh' } } });
    expect(rows[0]?.[2]?.wantsReview).toBe(true);
    expect(rows[1]?.[0]?.wantsReview).toBe(true);
    expect(rows[1]?.[2]?.wantsReview).toBe(true);
    expect(rows[2]?.[0]).toMatchObject({ p: null, lean: null, confidence: null, reason: { code: 'flat' } });
    expect(rows[3]?.[0]).toMatchObject({ p: null, grade: 'low', reason: { code: 'timed_out' } });
  });

  it('explains where asked', async () => {
    const rescorer = await open();
    const held = await hold(rescorer, [{ key: 1, text: 'a dog. a cat' }]);
    const [[row] = []] = await rescorer.judge(
      [photo({ kind: 'evidence', evidence: evidenceFor('a dog', 1) })],
      handlesOf(held),
      true,
    );
    expect(row?.explanation).toEqual({ concepts: [], notChecked: [] });
  });

  it('applies calibration and risk control, and keeps raw p raw', async () => {
    const seen = photo({ kind: 'evidence', evidence: evidenceFor('a dog', 1) });
    const plain = await open();
    const asked = [{ key: 1, text: 'a dog' }];
    const [[before] = []] = await plain.judge([seen], handlesOf(await hold(plain, asked)));
    await plain.close();
    const calibrated = await open({
      policy: {
        calibrations: { pack: { slope: 0.01, offset: 0 }, statements: {} },
        riskControl: { yes: 0.55, no: 0.7 },
      },
    });
    const held = await hold(calibrated, asked);
    const [prepared] = held;
    expect(prepared).toMatchObject({ value: { thresholds: { yes: 0.55, no: 0.7 } } });
    const [[after] = []] = await calibrated.judge([seen], handlesOf(held));
    expect(after?.p).toEqual(before?.p);
    expect(after?.adjusted?.yes).toBeLessThan(before?.adjusted?.yes ?? 0);
    expect(after?.label).toBe('maybe');
  });

  it('sends statements as they were written when told to', async () => {
    const rescorer = await open({ normalise: false });
    const [prepared] = await rescorer.read([{ key: 1, text: 'Probably a doggo. A cat' }]);
    expect(prepared).toMatchObject({ value: { normalised: { parts: ['Probably a doggo. A cat'], removed: [] } } });
  });

  it('judges what a joint pack said', async () => {
    writePack('fixture-joint');
    try {
      const rescorer = await open();
      const held = await hold(rescorer, [
        { key: 1, text: 'a dog. a cat' },
        { key: 2, text: '一只狗' },
        { key: 3, text: 'a cow' },
      ]);
      const says = (yes: number, no: number) => ({
        p: { yes, no, maybe: 1 - yes - no },
        caps: [],
        reason: { code: 'model_score', params: {} } as const,
      });
      const judgements = [says(0.95, 0.05), says(0.9, 0.1), says(0.03, 0.97)];
      const [row] = await rescorer.judge([photo({ kind: 'judgements', judgements })], handlesOf(held), true);
      expect(row?.map(({ label, confidence }) => [label, confidence])).toEqual([
        ['yes', 0.9],
        ['maybe', 1],
        ['no', 0.97],
      ]);
    } finally {
      writePack('fixture-separable');
    }
  });

  it('refuses a statement that is not held, and goes on', async () => {
    const rescorer = await open();
    const flat = photo({ kind: 'flat', deviation: 1 });
    await expect(rescorer.judge([flat], [7])).rejects.toThrow('7 is not held');
    const [handle] = await rescorer.withStatements([{ key: 1, text: 'a cat' }], async (held) => {
      expect(await rescorer.judge([flat], handlesOf(held))).toHaveLength(1);
      return handlesOf(held);
    });
    await expect(rescorer.judge([flat], [handle!])).rejects.toThrow('is not held');
    const failed = rescorer.withStatements([{ key: 1, text: 'a cat' }], () => Promise.reject(new Error('in use')));
    await expect(failed).rejects.toThrow('in use');
    await expect(rescorer.judge([flat], [handle! + 1])).rejects.toThrow('is not held');
  });

  it('judges side by side what has the same key', async () => {
    const rescorer = await open();
    const judged = (text: string, seen: string) =>
      rescorer.withStatements([{ key: 0, text }], async (held) => {
        const [[row] = []] = await rescorer.judge(
          [photo({ kind: 'evidence', evidence: evidenceFor(seen, 1) })],
          handlesOf(held),
        );
        return row?.label;
      });
    expect(await Promise.all([judged('a dog', 'a dog'), judged('a cat', 'a dog'), judged('a dog', 'a dog')])).toEqual([
      'yes',
      (await judged('a cat', 'a dog'))!,
      'yes',
    ]);
  });

  it('decides what is held by another policy from then on', async () => {
    const rescorer = await open();
    const seen = photo({ kind: 'evidence', evidence: evidenceFor('a dog', 1) });
    const held = handlesOf(await hold(rescorer, [{ key: 1, text: 'a dog' }]));
    const labels = async () => (await rescorer.judge([seen], held)).map(([row]) => row?.label);
    expect(await labels()).toEqual(['yes']);
    rescorer.usePolicy({
      calibrations: { pack: { slope: 1, offset: 0 }, statements: { 1: { slope: 0.01, offset: 0 } } },
      riskControl: null,
    });
    expect(await labels()).toEqual(['maybe']);
    rescorer.usePolicy({ calibrations: null, riskControl: null });
    expect(await labels()).toEqual(['yes']);
  });

  it('does not open a pack without an adapter, or with a broken table, and says why', async () => {
    writePack('unheard-of');
    try {
      expect(await openRescorer(workerUrl, setup())).toMatchObject({
        ok: false,
        error: { code: 'pack_broken', params: { detail: 'there is no adapter "unheard-of"' } },
      });
    } finally {
      writePack('fixture-separable');
    }
    const user = join(packDir, 'colloquial.yaml');
    writeFileSync(user, 'whip: 3\n');
    const { colloquial } = setup();
    expect(await openRescorer(workerUrl, setup({ colloquial: { ...colloquial, user } }))).toMatchObject({
      ok: false,
      error: { code: 'colloquial_invalid', params: { file: user, field: 'whip', line: 1 } },
    });
  });

  it('rejects what is asked of it once it has ended', async () => {
    const rescorer = await open();
    await rescorer.close();
    await expect(rescorer.read([{ key: 1, text: 'a dog' }])).rejects.toThrow('ended');
  });
});

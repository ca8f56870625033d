import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pack } from '../../../main/contract/pack.ts';
import { noMarks } from '../../../main/policy/policy.ts';
import { readHypotheses } from '../../../main/store/sql/hypotheses.ts';
import type { NewHypothesis } from '../../../main/store/types.ts';
import { keepHypotheses } from '../../../main/verdicts/keep-hypotheses.ts';
import { openRescorer, type Rescorer } from '../../../main/verdicts/rescore.ts';
import type { StatementToJudge } from '../../../main/verdicts/rescore-protocol.ts';
import { writeTextPack } from '../../fixtures/packs/text-pack.ts';
import { newHome, open as openStore } from '../store/open.ts';
import { handlesOf } from './hold.ts';

const workerUrl = new URL('../../../main/judging/worker/rescore-worker.ts', import.meta.url);
const statements: readonly StatementToJudge[] = ['a dog', 'a cat', 'a red car'].map((text, key) => ({ key, text }));

let home: string;
let packDir: string;
let pack: Pack;
beforeEach(() => {
  home = newHome();
  packDir = mkdtempSync(join(tmpdir(), 'vouch-pack-'));
  pack = writeTextPack(packDir);
});
const opened: Rescorer[] = [];
afterEach(async () => {
  for (const rescorer of opened.splice(0)) await rescorer.close();
  rmSync(packDir, { recursive: true });
});

const tryOpen = () => {
  const colloquial = { builtin: join(packDir, 'none.yaml'), user: null };
  return openRescorer(workerUrl, { packDir, home, graphCache: join(packDir, 'graphs'), colloquial, normalise: true });
};
const open = async (): Promise<Rescorer> => {
  const result = await tryOpen();
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  opened.push(result.value);
  return result.value;
};

const features = Uint8Array.from([1, ...new Uint8Array(Float32Array.from({ length: 8 }, (_, i) => i / 4).buffer)]);
const photo = { seen: { kind: 'evidence' as const, evidence: features }, marks: noMarks };

const judged = (
  rescorer: Rescorer,
  asked: readonly StatementToJudge[],
  keep?: (made: readonly NewHypothesis[]) => Promise<void>,
) =>
  rescorer.withStatements(
    asked,
    async (held) => (await rescorer.judge([photo], handlesOf(held)))[0]!.map(({ p }) => p!.yes),
    keep,
  );

/** Takes away the pack's text graph, also as it was optimised. */
const removeGraph = () => {
  rmSync(join(packDir, 'onnx', 'text.onnx'));
  rmSync(join(packDir, 'graphs'), { recursive: true });
};

describe('a pack whose statements go through a graph', () => {
  it('is small, and reads each statement by its tokenizer and its prompt', async () => {
    const bytes = readdirSync(packDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect(bytes).toBeLessThan(200_000);
    const rescorer = await open();
    const [read] = await rescorer.read([{ key: 0, text: 'a dog' }]);
    // [CLS] a p h o t o o f a d o g [SEP]: a letter is a token.
    expect(read).toMatchObject({ ok: true, value: { normalised: { tokens: 14 } } });
    const [dog, cat, car] = await judged(rescorer, statements);
    expect(new Set([dog, cat, car]).size).toBe(3);
  });

  it('gives a statement the same hypothesis, whatever it is read with', async () => {
    const [alone] = await judged(await open(), [statements[0]!]);
    const [together] = await judged(await open(), statements);
    expect(together).toBeCloseTo(alone!, 5);
  });

  it('reads other hypotheses by another prompt', async () => {
    const [before] = await judged(await open(), [statements[0]!]);
    writeTextPack(packDir, 16, { promptTemplate: 'nothing but {statement}' });
    const [after] = await judged(await open(), [statements[0]!]);
    expect(after).not.toBeCloseTo(before!, 3);
  });

  it('runs its graph once for each part, and not again after a restart where it was kept', async () => {
    const store = await openStore(home);
    const first = await open();
    const keep = keepHypotheses(store, first);
    const answers = await judged(first, statements, keep);
    expect(first.statementCache()).toEqual({ hits: 0, misses: 3 });
    expect(await judged(first, statements, keep)).toEqual(answers);
    expect(first.statementCache()).toEqual({ hits: 3, misses: 3 });

    const again = await open();
    // From now on it could not run the graph, which it has not opened yet.
    removeGraph();
    expect(await judged(again, statements)).toEqual(answers);
    expect(again.statementCache()).toEqual({ hits: 3, misses: 0 });
    await expect(judged(again, [{ key: 9, text: 'a bicycle' }])).rejects.toMatchObject({
      error: { code: 'pack_broken' },
    });
    await store.close();
  });

  it('keeps what was only read before, once somebody stands for it', async () => {
    const store = await openStore(home);
    const rescorer = await open();
    await rescorer.read(statements);
    const key = { packSha256: pack.sha256, adapterVersion: rescorer.pack.adapterVersion };
    const texts = ['a dog', 'a cat', 'a red car', 'a bicycle'];
    expect(readHypotheses(home, key, texts).size).toBe(0);
    await judged(rescorer, statements.slice(0, 2), keepHypotheses(store, rescorer));
    expect([...readHypotheses(home, key, texts).keys()]).toEqual(['a dog', 'a cat']);
    expect(readHypotheses(home, { ...key, adapterVersion: '0' }, texts).size).toBe(0);
    expect(readHypotheses(home, { ...key, packSha256: '0'.repeat(64) }, texts).size).toBe(0);
    await store.close();
  });

  it('makes anew what it cannot read, and does without a database', async () => {
    const [alone] = await judged(await open(), statements);
    const store = await openStore(home);
    const rescorer = await open();
    const key = { packSha256: pack.sha256, adapterVersion: rescorer.pack.adapterVersion };
    await store.hypotheses.keep(key, [{ text: 'a dog', blob: Uint8Array.of(99) }]);
    const keep = keepHypotheses(store, rescorer);
    expect((await judged(rescorer, [statements[0]!], keep))[0]).toBeCloseTo(alone!, 5);
    expect(rescorer.statementCache()).toEqual({ hits: 0, misses: 1 });
    expect(readHypotheses(home, key, ['a dog']).get('a dog')?.length).toBe(33);
    await store.close();
    const reader = await openStore(home, 'read');
    expect(keepHypotheses(reader, rescorer)).toBeUndefined();
    await reader.close();
  });

  it('does not open without its graph, and says why', async () => {
    rmSync(join(packDir, 'onnx', 'text.onnx'));
    expect(await tryOpen()).toMatchObject({
      ok: false,
      error: { code: 'pack_broken', params: { detail: expect.stringContaining('text.onnx') } },
    });
  });

  it('reads hundreds of statements without holding more than its thousand', async () => {
    const rescorer = await open();
    const many = Array.from({ length: 1200 }, (_, key) => ({ key, text: `thing number ${key}` }));
    const answers = await judged(rescorer, many);
    expect(answers).toHaveLength(1200);
    expect(rescorer.statementCache().misses).toBe(1200);
    // The last thousand are at hand, the first two hundred are not.
    await judged(rescorer, many.slice(200));
    expect(rescorer.statementCache().misses).toBe(1200);
    await judged(rescorer, many.slice(0, 200));
    expect(rescorer.statementCache().misses).toBe(1400);
  });
});

it('forgets the oldest hypotheses once there are more than ten thousand', async () => {
  const store = await openStore(home);
  const key = { packSha256: pack.sha256, adapterVersion: '1' };
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ text: `text ${from + i}`, blob: Uint8Array.of(1) }));
  await store.hypotheses.keep(key, some(0, 100));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await store.hypotheses.keep(key, some(100, 10_000));
  expect(readHypotheses(home, key, ['text 0', 'text 99']).size).toBe(0);
  expect(readHypotheses(home, key, ['text 100', 'text 10099']).size).toBe(2);
  await store.close();
});

/**
 * Risk control on labelled photos: of 200 random splits by photo, the true error on the other half passes the target,
 * beyond what chance alone does to a half of that size, in at most a tenth.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import jstat from 'jstat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditedDecision, chooseThreshold } from '../../main/policy/risk.ts';
import { readPairs } from '../../main/verdicts/eval.ts';
import { noteSkipped, shared } from '../shared.ts';

noteSkipped('risk control over random splits');

const root = resolve(import.meta.dirname, '..', '..');
const splits = 200;
/** How far chance alone takes a half: passed by one in twenty at most. */
const noiseTail = 0.05;

/** Numbers in [0, 1), the same in each run (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

type Scored = AuditedDecision & Readonly<{ photo: string }>;

/** Predictions of `vouch eval`, as an audit of every pair would give them. */
const toScored = (file: string): readonly Scored[] => {
  const read = readPairs(readFileSync(file, 'utf8'), file);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const { header, pairs } = read.value;
  return pairs.map(({ photo, label, columns }) => {
    const value = (name: string) => columns[header.indexOf(name)] ?? '';
    const [yes, no, maybe] = [value('p_yes'), value('p_no'), value('p_maybe')].map(Number) as [number, number, number];
    const lean = maybe >= Math.max(yes, no) ? 'maybe' : yes >= no ? 'yes' : 'no';
    // What stayed undecided for another reason than its confidence is capped: no threshold decides it.
    const capped = value('predicted') === 'maybe' && value('reason_code') !== 'unsure';
    const score = lean === 'maybe' || capped ? null : Math.max(yes, no);
    return { photo, score, wrong: lean !== label, weight: 1 };
  });
};

/** More wrong decisions than `noiseTail` of all halves would have at just the target. */
const passes = (decided: readonly Scored[], target: number): boolean => {
  const wrong = decided.filter((pair) => pair.wrong).length;
  return wrong > 0 && 1 - jstat.jStat.binomial.cdf(wrong - 1, decided.length, target) < noiseTail;
};

const trySplits = (pairs: readonly Scored[], target: number) => {
  const next = random(20_251_130);
  const photos = [...new Set(pairs.map(({ photo }) => photo))];
  let passed = 0;
  let coverage = 0;
  for (let split = 0; split < splits; split += 1) {
    const audited = new Set(photos.filter(() => next() < 0.5));
    const threshold = chooseThreshold(
      pairs.filter(({ photo }) => audited.has(photo)),
      target,
    );
    if (threshold === null) continue;
    const others = pairs.filter(({ photo }) => !audited.has(photo));
    const decided = others.filter(({ score }) => score !== null && score >= threshold);
    coverage += decided.length / others.length / splits;
    if (passes(decided, target)) passed += 1;
  }
  return { passed: passed / splits, coverage };
};

describe.skipIf(!shared)('risk control over random splits by photo', () => {
  let folder: string;
  const predictions: Record<string, readonly Scored[]> = {};
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vouch-risk-'));
    for (const name of ['objects', 'entailment']) {
      const from = join(shared!, 'eval', name);
      const out = join(folder, `${name}.tsv`);
      const args = ['eval', join(from, 'statements.tsv'), '--photos', join(from, 'photos'), '--predictions', out];
      const launcher = join(root, 'build', 'launcher', 'vouch.cjs');
      const run = spawnSync(process.execPath, [launcher, ...args, '--home', join(folder, 'home'), '--json']);
      expect(run.status, String(run.stderr)).toBe(0);
      predictions[name] = toScored(out);
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['objects', 0.05, 0.7],
    ['objects', 0.1, 0.7],
    ['entailment', 0.05, 0],
    ['entailment', 0.1, 0],
  ])('%s at an accepted error of %s', (name, target, leastCoverage) => {
    const { passed, coverage } = trySplits(predictions[name]!, target);
    expect(passed).toBeLessThanOrEqual(0.1);
    expect(coverage).toBeGreaterThanOrEqual(leastCoverage);
  });
});

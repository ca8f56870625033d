import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Precision } from '../../../main/contract/labels.ts';
import type { PrecisionChoice } from '../../../main/contract/precision.ts';
import { choosePrecision, keepChoice, precisionOn, readChoices } from '../../../main/packs/precision-choice.ts';

const trial = (precision: Precision, perSecond: number, agreement: number) => ({ precision, perSecond, agreement });
const fp32 = trial('fp32', 10, 1);

describe('choosing a precision', () => {
  it('takes the fastest that agrees', () => {
    expect(choosePrecision([fp32, trial('fp16', 15, 0.99), trial('int8', 14, 1)])).toBe('fp16');
  });

  it('never takes one that disagrees, however fast', () => {
    expect(choosePrecision([fp32, trial('int8', 100, 0.969), trial('fp16', 12, 0.97)])).toBe('fp16');
    expect(choosePrecision([fp32, trial('int8', 100, 0.5)])).toBe('fp32');
  });

  it('stays with fp32 for a gain that may be noise', () => {
    expect(choosePrecision([fp32, trial('int8', 10.4, 1)])).toBe('fp32');
    expect(choosePrecision([fp32])).toBe('fp32');
  });

  it('has nothing to say without fp32', () => {
    expect(() => choosePrecision([trial('int8', 1, 1)])).toThrow('fp32');
  });
});

const choice: PrecisionChoice = { precision: 'int8', trials: [fp32, trial('int8', 13, 0.99)], pairs: 96, at: 1 };

describe('precision on a device', () => {
  it('is what was asked for', () => {
    expect(precisionOn('cpu', 'fp16', { cpu: choice }, ['fp32', 'fp16'])).toEqual({
      precision: 'fp16',
      reason: { code: 'asked', params: {} },
    });
  });

  it('is what the trial on that device chose', () => {
    const on = precisionOn('cpu', 'auto', { cpu: choice }, ['fp32', 'int8']);
    expect(on).toEqual({ precision: 'int8', reason: { code: 'measured', params: choice } });
    expect(precisionOn('cuda', 'auto', { cpu: choice }, ['fp32', 'int8']).precision).toBe('fp32');
  });

  it('is fp32 until it was measured, or the first that the pack has', () => {
    expect(precisionOn('cpu', 'auto', {}, ['fp16', 'fp32']).precision).toBe('fp32');
    expect(precisionOn('cpu', 'auto', {}, ['fp16'])).toMatchObject({
      precision: 'fp16',
      reason: { code: 'not_measured' },
    });
    expect(precisionOn('cpu', 'auto', { cpu: choice }, ['fp32']).reason.code).toBe('not_measured');
  });
});

describe('what was chosen', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'vouch-choice-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is kept by pack and device', () => {
    const file = join(dir, 'precision.json');
    expect(readChoices(file, 'a')).toEqual({});
    keepChoice(file, 'a', 'cpu', choice);
    keepChoice(file, 'a', 'cuda', { ...choice, precision: 'fp16' });
    keepChoice(file, 'b', 'cpu', { ...choice, precision: 'fp32' });
    expect(readChoices(file, 'a')).toEqual({ cpu: choice, cuda: { ...choice, precision: 'fp16' } });
    expect(readChoices(file, 'b').cpu?.precision).toBe('fp32');
    expect(readChoices(file, 'c')).toEqual({});
  });

  it('counts for nothing where the file is broken', () => {
    const file = join(dir, 'precision.json');
    writeFileSync(file, '{"x": 1}');
    expect(readChoices(file, 'a')).toEqual({});
    keepChoice(file, 'a', 'cpu', choice);
    expect(readChoices(file, 'a').cpu).toEqual(choice);
  });
});

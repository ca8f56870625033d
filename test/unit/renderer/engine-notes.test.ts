import { afterEach, describe, expect, it } from 'vitest';
import type { PrecisionReason } from '../../../main/contract/precision.ts';
import type { EngineState } from '../../../main/contract/views.ts';
import { batchNote, deviceNote, inputSizeNote, passedOverText, precisionNote } from '../../../renderer/engine/notes.ts';
import { i18n } from '../../../renderer/i18n/index.ts';

afterEach(() => void i18n.changeLanguage('en'));

type Shown = NonNullable<EngineState['device']>;
const proof = { nodesOnDevice: 1, nodesInAll: 1, probeMs: 1, agreesWithCpu: true, maxDifference: 0 };
const cpu: Shown = { requested: 'auto', used: 'cpu', index: 0, proof, fallbackReason: null, passedOver: [] };
const noCuda = { device: 'cuda', reason: 'the cuda libraries are not installed', cause: 'no_libraries' } as const;
const precision = (reason: PrecisionReason): EngineState['precision'] => ({
  requested: 'auto',
  used: 'fp32',
  reason,
  available: ['fp32', 'int8'],
});
const measured = (chosen: 'fp32' | 'int8', agreement: number) =>
  precision({
    code: 'measured',
    params: {
      precision: chosen,
      trials: [
        { precision: 'fp32', perSecond: 20, agreement: 1 },
        { precision: 'int8', perSecond: 26, agreement },
      ],
      pairs: 400,
      at: Date.UTC(2026, 10, 30, 12),
    },
  });
const batch: EngineState['batch'] = { mode: 'fixed', size: 16, max: 32, mean: null, advice: null };

describe('the note under the device', () => {
  it('tells what was passed over, and a fallback before that', () => {
    expect(deviceNote(null)).toBe('Auto takes the best device that proves itself.');
    expect(deviceNote(cpu)).toBe(deviceNote(null));
    expect(deviceNote({ ...cpu, passedOver: [noCuda] })).toBe(
      'CUDA passed over: the CUDA libraries are not installed.',
    );
    const fallback = { requested: 'cuda', passedOver: [noCuda], fallbackReason: `cuda: ${noCuda.reason}` } as const;
    expect(deviceNote({ ...cpu, ...fallback })).toBe(
      'CUDA was asked for: the CUDA libraries are not installed. Running on CPU.',
    );
  });

  it('ends a reason once', () => {
    expect(passedOverText([{ device: 'coreml', reason: 'it failed.\n' }])).toEqual(['Core ML passed over: it failed.']);
  });
});

describe('the note under the precision', () => {
  it('gives the figures it was chosen by, and never rounds up to all', () => {
    expect(precisionNote(measured('int8', 0.995))).toBe(
      'int8 agrees with fp32 on 99.5% of 400 labels and is 1.3 times as fast here. Measured on Nov 30, 2026.',
    );
    expect(precisionNote(measured('int8', 0.99975))).toContain('on 99.9%');
    expect(precisionNote(measured('int8', 1))).toContain('on 100%');
    expect(precisionNote(measured('fp32', 0.5))).toContain('fp32 is the best here');
  });

  it('says where nothing was measured, or it was asked for', () => {
    expect(precisionNote(precision({ code: 'not_measured', params: {} }))).toBe(precisionNote(null));
    expect(precisionNote(precision({ code: 'asked', params: {} }))).toBe('As asked for.');
  });
});

it('adds advice against a fixed batch size', () => {
  expect(batchNote(batch)).toBe('Held at this size; the pack allows up to 32.');
  expect(batchNote({ ...batch, advice: { size: 8, cause: 'latency' } })).toBe(
    'Held at this size; the pack allows up to 32. 8 would be better: photos take too long.',
  );
});

it('tells a choice of input size from the only one there is, and from one that is held', () => {
  expect(inputSizeNote({ used: 512, available: [512] }, 'auto')).toBe('The one size that the model pack has.');
  expect(inputSizeNote({ used: 224, available: [384, 224] }, 'auto')).toContain('while memory is short');
  expect(inputSizeNote({ used: 224, available: [384, 224] }, 224)).toContain('Held at this size');
});

it('leaves nothing open in Chinese', async () => {
  await i18n.changeLanguage('zh-CN');
  const notes = [
    deviceNote({ ...cpu, passedOver: [noCuda] }),
    deviceNote({ ...cpu, requested: 'cuda', passedOver: [noCuda], fallbackReason: 'cuda' }),
    precisionNote(measured('int8', 0.995)),
    precisionNote(measured('fp32', 1)),
    precisionNote(precision({ code: 'asked', params: {} })),
    batchNote({ ...batch, advice: { size: 8, cause: 'memory' } }),
    ...(['auto', 224] as const).map((asked) => inputSizeNote({ used: 384, available: [384, 224] }, asked)),
    inputSizeNote({ used: 512, available: [512] }, 'auto'),
  ];
  for (const note of notes) expect(note).not.toContain('installed');
  for (const note of notes) expect(note).toMatch(/^(?!.*(\{\{|undefined|engine\.)).*[\u4e00-\u9fff].*。$/u);
});

import { describe, expect, it } from 'vitest';
import { type GpuFindings, gpuNeeds } from '../../../build/scripts/gpu-preflight.ts';

/** Heads of what the tools print, as captured on machines of either kind. */
const smi = (driver: string, cuda: string) => `
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI ${driver}             Driver Version: ${driver}     CUDA Version: ${cuda}     |
|-----------------------------------------+------------------------+----------------------+`;
const ldconfig = (...files: readonly string[]) =>
  `${files.length} libs found in cache \`/etc/ld.so.cache'\n${files
    .map((file) => `\t${file} (libc6,x86-64) => /usr/local/cuda/lib64/${file}`)
    .join('\n')}\n`;

const whole: GpuFindings = {
  platform: 'linux',
  arch: 'x64',
  nvidiaSmi: smi('550.54.15', '12.4'),
  libraries: ldconfig('libcudart.so.12', 'libcudnn.so.9', 'libcudnn_ops.so.9'),
};
const missing = (findings: Partial<GpuFindings>) =>
  gpuNeeds({ ...whole, ...findings })
    .filter(({ ok }) => !ok)
    .map(({ name }) => name);

describe('what CUDA needs', () => {
  it('is all there on a machine that was set up', () => {
    expect(missing({})).toEqual([]);
  });

  it('is named in full on a machine without a GPU', () => {
    expect(missing({ nvidiaSmi: null, libraries: ldconfig('libc.so.6') })).toEqual(['driver', 'cuda', 'cudnn']);
    expect(missing({ nvidiaSmi: null, libraries: null })).toEqual(['driver', 'cuda', 'cudnn']);
  });

  it('counts an old driver as missing, a newer one not', () => {
    expect(missing({ nvidiaSmi: smi('470.82.01', '11.4') })).toEqual(['driver']);
    expect(missing({ nvidiaSmi: smi('580.10.00', '13.0') })).toEqual([]);
  });

  it('takes neither CUDA nor cuDNN of another major', () => {
    const libraries = ldconfig('libcudart.so.11.0', 'libcudnn.so.8');
    expect(missing({ libraries })).toEqual(['cuda', 'cudnn']);
    const needs = gpuNeeds({ ...whole, libraries });
    expect(needs.find(({ name }) => name === 'cudnn')).toMatchObject({ found: 'libcudnn.so.8' });
    expect(needs.find(({ name }) => name === 'cudnn')?.fix).toContain('libcudnn.so.9');
    expect(missing({ libraries: ldconfig('libcudart.so.11.0', 'libcudart.so.12', 'libcudnn.so.9') })).toEqual([]);
  });

  it('points elsewhere where the libraries are not published', () => {
    expect(gpuNeeds({ ...whole, platform: 'win32' })[0]).toMatchObject({ ok: false });
    expect(gpuNeeds({ ...whole, platform: 'win32' })[0]?.fix).toContain('DirectML');
    expect(gpuNeeds({ ...whole, platform: 'darwin' })[0]?.fix).toContain('CoreML');
    expect(gpuNeeds({ ...whole, arch: 'arm64' })[0]?.ok).toBe(false);
  });
});

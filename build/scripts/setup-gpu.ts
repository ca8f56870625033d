/**
 * `npm run setup:gpu [-- --check] [-- --force]`: fetches the CUDA libraries of ONNX Runtime by its own install script,
 * once everything that they need is there. Never part of `npm ci`. `--check` only tells what is missing.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gpuNeeds } from './gpu-preflight.ts';

const textOf = (command: string, ...args: readonly string[]): string | null => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout : null;
};

const flags = process.argv.slice(2);
const needs = gpuNeeds({
  platform: process.platform,
  arch: process.arch,
  nvidiaSmi: textOf('nvidia-smi'),
  libraries: textOf('ldconfig', '-p') ?? textOf('/sbin/ldconfig', '-p'),
});
for (const { name, ok, found, fix } of needs) {
  console.log(`${ok ? 'ok      ' : 'MISSING '} ${name.padEnd(7)} ${found}${fix ? `\n         -> ${fix}` : ''}`);
}
const missing = needs.filter(({ ok }) => !ok);
if (flags.includes('--check')) process.exit(missing.length > 0 ? 1 : 0);
if (missing.length > 0 && !flags.includes('--force')) {
  console.log('Nothing was fetched: the libraries could not be used yet. --force fetches them all the same.');
  process.exit(1);
}
const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
const { status } = spawnSync(process.execPath, [join(runtime, 'script', 'install.js')], {
  cwd: runtime,
  env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'cuda12' },
  stdio: 'inherit',
});
if (status !== 0) console.log('The libraries could not be fetched; Vouch goes on with the CPU.');
else console.log('Done. `vouch doctor --device cuda` tells whether the device proves itself.');
process.exit(status ?? 1);

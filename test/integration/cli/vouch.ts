/** Runs the built command line as a person would: a process of its own, in a home of its own. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..', '..', '..');
const launcher = resolve(root, 'build', 'launcher', 'vouch.cjs');

export type Ended = Readonly<{ code: number | null; stdout: string; stderr: string }>;

export const startVouch = (args: readonly string[], detached = false) =>
  spawn(process.execPath, [launcher, ...args], { cwd: root, detached, stdio: ['ignore', 'pipe', 'pipe'] });

export const vouch = (...args: readonly string[]): Promise<Ended> =>
  new Promise((done, failed) => {
    const child = startVouch(args);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', failed);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });

/** A display to open windows on: the one there is, else a virtual one of our own (Linux). */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { needDisplay } from './electron-needs.ts';

export type Display = Readonly<{ env: Readonly<Record<string, string>>; close: () => void }>;

export const openDisplay = async (size = '1600x1000'): Promise<Display> => {
  needDisplay(true);
  if (process.platform !== 'linux' || process.env.DISPLAY) return { env: {}, close: () => undefined };
  // The server chooses a free number itself and tells it.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    (server.stdio[3] as Readable).once('data', (data: Buffer) => resolve(data.toString().trim()));
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code} before it was ready`)));
  });
  const close = () => void server.kill();
  process.once('exit', close);
  return { env: { DISPLAY: `:${number}` }, close };
};

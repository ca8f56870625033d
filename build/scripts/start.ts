/** `npm start`: builds what is out of date, finds an Electron, and opens the app on this folder. */
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { NeedsError, needDisplay } from './electron-needs.ts';
import { prepareRuntime } from './electron-runtime.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stderr.write(`vouch: ${line}\n`);

try {
  needDisplay(false);
  const built = spawnSync(process.execPath, [resolve(root, 'build/scripts/prepare.cjs')], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  const runtime = await prepareRuntime(say);
  const child = spawn(runtime.executable, [...runtime.args, root, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
} catch (error) {
  say(error instanceof NeedsError ? error.message : `cannot start: ${String(error)}`);
  process.exit(1);
}

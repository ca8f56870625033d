/** Kills a process that writes to a store, again and again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';

export type Survived = Readonly<{ said: number; found: number }>;

/** For each kill: how many verdicts the process said were stored, and how many there are. */
export const killWhileAppending = async (home: string, times: number): Promise<readonly Survived[]> => {
  const results: Survived[] = [];
  for (let i = 0; i < times; i++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'append-forever.ts'), home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child.stdout, 'data');
    await sleep(20 + Math.random() * 300);
    child.kill('SIGKILL');
    await once(child, 'close');
    const said = Number(output.trimEnd().split('\n').at(-1));
    const db = new Database(join(home, 'vouch.db'), { readonly: true });
    const found = db.prepare<[], number>('SELECT count(*) FROM verdicts').pluck().get() ?? 0;
    db.close();
    results.push({ said, found });
  }
  return results;
};

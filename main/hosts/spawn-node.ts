/** Starts hosts as child processes of plain Node. Messages are structured clones, so byte arrays travel as they are. */
import { fork } from 'node:child_process';
import type { SpawnHost } from './host.ts';

const keptStderr = 4096;

export const spawnNode =
  (execPath: string = process.execPath): SpawnHost =>
  (entry, options) => {
    const child = fork(entry, [], {
      execPath,
      execArgv: [...(options.v8Flags ?? [])],
      env: { ...process.env, ...options.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-keptStderr);
    });
    return {
      pid: child.pid,
      post: (request) => {
        if (child.connected) child.send(request as object, () => undefined);
      },
      onReply: (listener) => child.on('message', (reply) => listener(reply as never)),
      onExit: (listener) => {
        let told = false;
        const tell = (code: number | null, signal: string | null) => {
          if (told) return;
          told = true;
          listener({ code, signal, stderr });
        };
        child.once('close', tell);
        child.once('error', (error) => {
          stderr += String(error);
          tell(null, null);
        });
      },
      kill: () => child.kill('SIGKILL'),
    };
  };

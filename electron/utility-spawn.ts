/** Starts hosts of the core inside the shell: as utility processes, or under a plain Node where that is better. */
import { existsSync } from 'node:fs';
import { constants as osConstants, setPriority } from 'node:os';
import { join } from 'node:path';
import { utilityProcess } from 'electron/main';
import type { SpawnHost } from '../main/hosts/host.ts';
import { priorityVariable } from '../main/hosts/host-port.ts';
import { spawnNode } from '../main/hosts/spawn-node.ts';

const keptStderr = 4096;

export const spawnUtility: SpawnHost = (entry, options) => {
  const child = utilityProcess.fork(entry, [], {
    serviceName: `Vouch ${options.name}`,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.once('spawn', () => yieldToWindow(child.pid, options.env));
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-keptStderr);
  });
  return {
    get pid() {
      return child.pid;
    },
    post: (request) => child.postMessage(request),
    onReply: (listener) => child.on('message', (reply) => listener(reply)),
    onExit: (listener) => child.once('exit', (code) => listener({ ...howItEnded(code), stderr })),
    // A host that hangs does not answer a polite request, so it gets none.
    kill: () => {
      if (child.pid === undefined) child.kill();
      else endNow(child.pid);
    },
  };
};

/** A host takes the priority that settings want by itself; any other comes after the window. */
const yieldToWindow = (pid: number | undefined, env: Readonly<Record<string, string>> = {}): void => {
  try {
    if (env[priorityVariable] !== undefined) return;
    if (pid !== undefined) setPriority(pid, osConstants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed, or gone already.
  }
};

const endNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

/** Electron tells a death by signal as the bare wait status, of which the low seven bits are the signal. */
const signals: Readonly<Record<number, string>> = {
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};
const howItEnded = (code: number): Readonly<{ code: number | null; signal: string | null }> => {
  const signal = process.platform === 'win32' ? undefined : signals[code & 0x7f];
  return signal ? { code: null, signal } : { code, signal: null };
};

/**
 * Native sharp cannot share a process with Electron's GLib (Linux), and its WebAssembly build is several times slower.
 * A plain Node beside the app has neither fault: the one of development, or one that a package brings along.
 */
const plainNode = (appPath: string): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  return [join(process.resourcesPath, 'node'), join(appPath, 'node_modules', 'node', 'bin', 'node')].find(existsSync);
};

export const imageHosts = (appPath: string): Readonly<{ spawn: SpawnHost; decoder: 'native' | 'wasm' }> => {
  const node = plainNode(appPath);
  if (node) {
    const start = spawnNode(node);
    const spawn: SpawnHost = <Request, Reply>(entry: string, options: Parameters<SpawnHost>[1]) => {
      const host = start<Request, Reply>(entry, options);
      yieldToWindow(host.pid, options.env);
      return host;
    };
    return { spawn, decoder: 'native' };
  }
  return { spawn: spawnUtility, decoder: process.platform === 'linux' ? 'wasm' : 'native' };
};

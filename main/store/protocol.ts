/** Messages between the store's client and its worker. */
import type { VouchError } from '../contract/errors.ts';

export type WorkerSetup = Readonly<{ home: string; mode: 'read' | 'write' }>;

export type StoreRequest =
  | Readonly<{ kind: 'call'; id: number; concern: string; operation: string; args: readonly unknown[] }>
  | Readonly<{ kind: 'close' }>;

export type StoreReply =
  | Readonly<{ kind: 'opened'; file: string }>
  | Readonly<{ kind: 'refused'; error: VouchError }>
  | Readonly<{ kind: 'answer'; id: number; ranMs: number; value: unknown }>
  | Readonly<{ kind: 'failure'; id: number; ranMs: number; error: VouchError }>;

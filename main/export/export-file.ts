/** The core's end of the export worker. */
import { Worker } from 'node:worker_threads';
import type { VouchError } from '../contract/errors.ts';
import type { ExportProgress } from '../contract/export.ts';
import { VouchFailure } from '../failure.ts';
import { askThread } from '../hosts/rpc.ts';
import type { ExportCalls, FileExport } from './types.ts';

export type ExportPorts = Readonly<{ signal: AbortSignal; onProgress?: (progress: ExportProgress) => void }>;

const lost = (thrown: unknown = new Error('the export worker has ended')): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/**
 * Writes pairs to a file; resolves with the number of rows. Rejects with `cancelled` after an abort, which leaves no
 * file behind, and with `disk_full` or `export_failed`. `workerUrl`: main/export/worker/export-worker.ts, or what it was built to.
 */
export const exportFile = async (
  workerUrl: URL,
  wanted: FileExport,
  { signal, onProgress }: ExportPorts,
): Promise<number> => {
  const worker = new Worker(workerUrl, { name: 'export' });
  const toError = (fault: VouchError): Error => new VouchFailure(fault);
  const ask = askThread<ExportCalls, VouchError>(worker, { toError, lost });
  try {
    return await ask('write', wanted, { signal, onTold: onProgress });
  } finally {
    await worker.terminate();
  }
};

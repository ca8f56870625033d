/** The core's end of the export worker. */
import { Worker } from 'node:worker_threads';
import { vouchError } from '../contract/error.ts';
import type { ExportProgress } from '../contract/export.ts';
import { VouchFailure } from '../failure.ts';
import type { ExportReply, ExportRequest, FileExport } from './types.ts';

export type ExportPorts = Readonly<{ signal: AbortSignal; onProgress?: (progress: ExportProgress) => void }>;

/**
 * Writes pairs to a file; resolves with the number of rows. Rejects with `cancelled` after an abort, which leaves no
 * file behind, and with `disk_full` or `export_failed`. `workerUrl`: main/export/worker/export-worker.ts, or what it was built to.
 */
export const exportFile = (workerUrl: URL, wanted: FileExport, { signal, onProgress }: ExportPorts): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { workerData: wanted, name: 'export' });
    const request: ExportRequest = { kind: 'cancel' };
    const cancel = () => worker.postMessage(request);
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', cancel);
      settle();
    };
    worker.on('message', (reply: ExportReply) => {
      if (reply.kind === 'progress') onProgress?.(reply.progress);
      else if (reply.kind === 'done') end(() => resolve(reply.rows));
      else if (reply.kind === 'cancelled') end(() => reject(new VouchFailure(vouchError('cancelled', {}, true))));
      else end(() => reject(new VouchFailure(reply.error)));
    });
    worker.on('error', (error) => end(() => reject(error)));
    worker.on('exit', () => end(() => reject(new Error('the export worker has ended'))));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });

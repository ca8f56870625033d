/** The export worker: reads rows from the database page by page and writes them to a file. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FileFormat } from '../../contract/export.ts';
import { type ExportReader, openExportReader } from '../../store/sql/read-export.ts';
import { csv } from '../csv.ts';
import type { ExportReply, ExportRequest, FileExport } from '../types.ts';
import { openOutput, type Written, writeFailure } from '../write.ts';
import { coco } from './coco.ts';
import { jsonl } from './jsonl.ts';

const port = parentPort;
if (!port) throw new Error('exports run in a worker thread');
const reply = (message: ExportReply): void => port.postMessage(message);
const { home, format, out, scope, ranking } = workerData as FileExport;

const formats: Readonly<Record<FileFormat, (reader: ExportReader, pageSize: number) => Generator<Written>>> = {
  csv,
  jsonl,
  coco,
};
const pageSize = 4000;

let cancelled = false;
port.on('message', (request: ExportRequest) => {
  cancelled ||= request.kind === 'cancel';
});

/** Returns how many rows were written; null when cancelled. */
const run = async (): Promise<number | null> => {
  const reader = openExportReader(home, scope, ranking);
  try {
    const output = openOutput(out);
    try {
      const total = reader.count();
      let rows = 0;
      for (const piece of formats[format](reader, pageSize)) {
        output.write(piece.text);
        rows += piece.rows;
        if (piece.rows > 0) reply({ kind: 'progress', progress: { rows, total } });
        // Lets a request to cancel come in.
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (cancelled) {
          output.abandon();
          return null;
        }
      }
      output.finish();
      return rows;
    } catch (error) {
      output.abandon();
      throw error;
    }
  } finally {
    reader.close();
  }
};

try {
  const rows = await run();
  reply(rows === null ? { kind: 'cancelled' } : { kind: 'done', rows });
} catch (error) {
  reply({ kind: 'failed', error: writeFailure(out, error) });
}
port.close();

/** The export worker: reads rows from the database page by page and writes them to a file. */
import { parentPort } from 'node:worker_threads';
import { vouchError } from '../../contract/errors.ts';
import type { ExportProgress, FileFormat } from '../../contract/export.ts';
import { errorOf, VouchFailure } from '../../failure.ts';
import type { Replacement } from '../../files/write-whole.ts';
import { answerCalls, type Call } from '../../hosts/rpc.ts';
import { type ExportReader, openExportReader } from '../../store/sql/read-export.ts';
import { csv } from '../csv.ts';
import type { ExportCalls, FileExport } from '../types.ts';
import { openOutput, type Written, writeFailure } from '../write.ts';
import { coco } from './coco.ts';
import { jsonl } from './jsonl.ts';

const port = parentPort;
if (!port) throw new Error('exports run in a worker thread');

const formats: Readonly<Record<FileFormat, (reader: ExportReader, pageSize: number) => Generator<Written>>> = {
  csv,
  jsonl,
  coco,
};
const pageSize = 4000;

const cancelled = (): never => {
  throw new VouchFailure(vouchError('cancelled', {}, true));
};

const writePieces = async (
  format: FileFormat,
  reader: ExportReader,
  output: Replacement,
  { tell, signal }: Call<ExportProgress>,
): Promise<number> => {
  const total = reader.count();
  let rows = 0;
  for (const piece of formats[format](reader, pageSize)) {
    output.write(piece.text);
    rows += piece.rows;
    if (piece.rows > 0) void tell({ rows, total });
    // Lets a request to cancel come in.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (signal.aborted) cancelled();
  }
  output.finish();
  return rows;
};

const writeFile = async (wanted: FileExport, call: Call<ExportProgress>): Promise<number> => {
  const reader = openExportReader(wanted.home, wanted.scope, wanted.ranking);
  try {
    const output = openOutput(wanted.out);
    try {
      return await writePieces(wanted.format, reader, output, call);
    } catch (error) {
      output.abandon();
      throw error;
    }
  } finally {
    reader.close();
  }
};

const write = async (wanted: FileExport, call: Call<ExportProgress>): Promise<number> => {
  try {
    return await writeFile(wanted, call);
  } catch (thrown) {
    throw thrown instanceof VouchFailure ? thrown : new VouchFailure(writeFailure(wanted.out, thrown));
  }
};

answerCalls<ExportCalls>(port, { handlerOf: (name) => ({ write })[name], toFault: errorOf });

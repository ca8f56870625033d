/** What is exported, and how the core and the export worker speak about it. */
import type { ExportProgress, FileFormat } from '../contract/export.ts';
import type { PairScope, Ranking } from '../store/types.ts';

export type FileExport = Readonly<{
  home: string;
  format: FileFormat;
  /** Absolute. A file that is there is replaced in one step, once the new one is complete. */
  out: string;
  scope: PairScope;
  /** What was found for the text that the scope's filter names, if it names one. */
  ranking?: Ranking | undefined;
}>;

/** Gives how many rows were written; called off, it leaves no file behind and fails with `cancelled`. */
export type ExportCalls = Readonly<{
  write: (wanted: FileExport, tell: (progress: ExportProgress) => void) => number;
}>;

/** What is exported, and how the core and the export worker speak about it. */
import type { VouchError } from '../contract/error.ts';
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

export type ExportRequest = Readonly<{ kind: 'cancel' }>;
export type ExportReply =
  | Readonly<{ kind: 'progress'; progress: ExportProgress }>
  | Readonly<{ kind: 'done'; rows: number }>
  | Readonly<{ kind: 'cancelled' }>
  | Readonly<{ kind: 'failed'; error: VouchError }>;

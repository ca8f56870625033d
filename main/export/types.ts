/** What is exported, and how the core and the export worker speak about it. */
import type { VouchError } from '../contract/error.ts';
import type { PairScope } from '../store/types.ts';

export const fileFormats = ['csv', 'jsonl', 'coco'] as const;
export type FileFormat = (typeof fileFormats)[number];
export const exportFormats = [...fileFormats, 'xmp'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export type FileExport = Readonly<{
  home: string;
  format: FileFormat;
  /** Absolute. A file that is there is replaced in one step, once the new one is complete. */
  out: string;
  scope: PairScope;
}>;

export type ExportProgress = Readonly<{ rows: number; total: number }>;

export type ExportRequest = Readonly<{ kind: 'cancel' }>;
export type ExportReply =
  | Readonly<{ kind: 'progress'; progress: ExportProgress }>
  | Readonly<{ kind: 'done'; rows: number }>
  | Readonly<{ kind: 'cancelled' }>
  | Readonly<{ kind: 'failed'; error: VouchError }>;

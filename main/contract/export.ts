/** Exports as the window asks for them. */
import { z } from 'zod';

const fileFormats = ['csv', 'jsonl', 'coco'] as const;
export type FileFormat = (typeof fileFormats)[number];
export const exportFormats = [...fileFormats, 'xmp'] as const;
export const exportFormatSchema = z.enum(exportFormats);
export type ExportFormat = (typeof exportFormats)[number];

/** What files of a format end with. */
export const exportEndings: Readonly<Record<FileFormat, string>> = { csv: 'csv', jsonl: 'jsonl', coco: 'coco.json' };

/** Of rows, or of photos where sidecars are written. */
export type ExportProgress = Readonly<{ rows: number; total: number }>;

export type SidecarChange = Readonly<{ sidecar: string; added: readonly string[]; removed: readonly string[] }>;
type Failed = readonly Readonly<{ sidecar: string; problem: string }>[];

/** What an export would do. `changes`: the first of `files` sidecars that would change. */
export type ExportPlan = Readonly<{ rows: number; files: number; changes: readonly SidecarChange[]; failed: Failed }>;
/** `path`: the file, or null where sidecars were written; `files` counts what was changed. */
export type ExportOutcome = Readonly<{ rows: number; files: number; path: string | null; failed: Failed }>;

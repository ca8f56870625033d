/** What a person decides for one library folder. */
import { z } from 'zod';
import { taggingSchema } from './tagging.ts';

/** `name` or `*.tif` holds at any depth, `2024/raw` from the folder down; what it holds includes all below. */
const globSchema = z.string().trim().min(1).max(500);
const globs = z.array(globSchema).max(100).readonly();

const folderSettingsSchema = z
  .object({
    /** Only these; everything when empty. */
    include: globs.default([]),
    /** Never these, whatever `include` says. */
    exclude: globs.default([]),
    /** Whether links to folders and photos are followed. */
    followLinks: z.boolean().default(false),
    tagging: taggingSchema.default('off'),
  })
  .readonly();
export type FolderSettings = z.infer<typeof folderSettingsSchema>;
export const defaultFolderSettings: FolderSettings = folderSettingsSchema.parse({});

/** A change of some; what it leaves out stays as it is. */
export const folderChangeSchema = z
  .strictObject({ include: globs, exclude: globs, followLinks: z.boolean(), tagging: taggingSchema })
  .partial()
  .readonly();

/** Settings as the store keeps them; what cannot be read counts as not set. */
export const readFolderSettings = (stored: unknown): FolderSettings => {
  const read = folderSettingsSchema.safeParse(stored);
  return read.success ? read.data : defaultFolderSettings;
};

/** What the system ran out of: watches of folders, or open files. */
export type WatchLimit = 'watches' | 'files';

/** How a watched folder is followed. `polling`: looked through from time to time, since the system gives no more watches. */
export type WatchState =
  | Readonly<{ mode: 'starting' | 'watching' | 'offline' }>
  | Readonly<{ mode: 'polling'; limit: WatchLimit }>;

/** Tags as keywords in XMP sidecars, for the photos of a scope; noted in the store, so that they can be withdrawn. */
import { vouchError } from '../../contract/errors.ts';
import type { ExportProgress, SidecarChange } from '../../contract/export.ts';
import { VouchFailure } from '../../failure.ts';
import type { PairScope, Store } from '../../store/types.ts';
import { openSidecarEditor } from './exiftool.ts';
import type { TagRules } from './plan.ts';
import type { Tagged } from './tag-photos.ts';
import { tagScope } from './tagger.ts';

type TagExportPorts = Readonly<{
  signal: AbortSignal;
  /** Say what would change, and change nothing. */
  dryRun: boolean;
  onChange?: (change: SidecarChange) => void;
  /** In photos; the total grows where an earlier export tagged photos outside the scope. */
  onProgress?: (progress: ExportProgress) => void;
}>;

export type TagExport = Readonly<{
  /** Sidecars that were (or would be) changed: none the second time. */
  files: readonly string[];
  /** Keywords of Vouch's that stand on the photos of the scope, one for each photo and tag. */
  rows: number;
  failed: Tagged['failed'];
}>;

/** Rejects with `cancelled` after an abort; what was written until then is noted, and stays. */
export const exportTags = async (
  store: Store,
  rules: TagRules,
  scope: PairScope,
  { signal, dryRun, onChange, onProgress }: TagExportPorts,
): Promise<TagExport> => {
  const editor = openSidecarEditor();
  const files: string[] = [];
  const failed: Tagged['failed'][number][] = [];
  let rows = 0;
  let done = 0;
  try {
    const total = await store.tags.countInScope(scope);
    for await (const one of tagScope({ store, editor }, rules, scope, dryRun)) {
      for (const change of one.changes) {
        files.push(change.sidecar);
        onChange?.(change);
      }
      failed.push(...one.failed);
      rows += one.standing;
      done += one.photos;
      onProgress?.({ rows: done, total: Math.max(total, done) });
      if (signal.aborted) throw new VouchFailure(vouchError('cancelled', {}, true));
    }
    return { files, rows, failed };
  } finally {
    await editor.close();
  }
};

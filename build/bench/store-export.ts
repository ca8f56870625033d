/** How fast verdicts of a filled store reach files, and tags new sidecars. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Core } from '../../main/app/core.ts';
import type { FileFormat } from '../../main/contract/export.ts';
import { openSidecarEditor } from '../../main/library/tagging/exiftool.ts';
import { type TagWork, tagPhotos } from '../../main/library/tagging/tag-photos.ts';
import type { Store, TagSubject } from '../../main/store/types.ts';

const formats: readonly FileFormat[] = ['csv', 'jsonl'];
const sidecars = 4000;
const handful = 64;
const everything = { kind: 'verdicts', filter: {} } as const;
const never = new AbortController().signal;

/** The slower of CSV and JSON Lines counts; `memory`: the process's growth between a tenth of the rows and the last. */
export const measureExport = async (core: Core) => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-export-'));
  const perSecond: Record<string, number> = {};
  const memoryGrowthMb: Record<string, number> = {};
  try {
    for (const format of formats) {
      let early: number | null = null;
      const from = performance.now();
      const onProgress = ({ rows: done, total }: Readonly<{ rows: number; total: number }>) => {
        if (done * 10 >= total) early ??= process.memoryUsage.rss();
      };
      const wanted = { format, out: join(folder, `verdicts.${format}`), scope: everything };
      const rows = await core.exportFile(wanted, { signal: never, onProgress });
      perSecond[format] = Math.round((rows / (performance.now() - from)) * 1000);
      memoryGrowthMb[format] = Math.round((process.memoryUsage.rss() - (early ?? 0)) / 1e6);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { exportRowsPerSecond: Math.min(...Object.values(perSecond)), perSecond, memoryGrowthMb };
};

/** New sidecars for photos that the store believes in; they lie in a folder of the benchmark's own. */
export const measureSidecars = async (store: Store): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-sidecars-'));
  const editor = openSidecarEditor();
  try {
    const subjects: TagSubject[] = [];
    for (let after = 0; subjects.length < sidecars; ) {
      const page = await store.tags.inScope({ kind: 'verdicts', filter: { label: 'yes', grade: 'high' } }, after, 512);
      if (page.length === 0) break;
      after = page.at(-1)!.photo;
      const at = page.map((subject) => ({
        ...subject,
        paths: [{ path: join(folder, `${subject.photo}.jpg`), alive: true }],
      }));
      subjects.push(...at);
    }
    const work: TagWork = { rules: { prefix: 'Vouch', lowestGrade: 'high' }, modeOf: () => 'xmp', by: 'export' };
    const from = performance.now();
    let made = 0;
    for (let i = 0; i < subjects.length; i += handful) {
      made += (await tagPhotos(subjects.slice(i, i + handful), work, { store, editor })).changes.length;
    }
    return Math.round((made / (performance.now() - from)) * 1000);
  } finally {
    await editor.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

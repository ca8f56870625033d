import type { Handlers } from '../../contract/api.ts';
import { type ExportFormat, exportEndings, type SidecarChange } from '../../contract/export.ts';
import type { ResultFilter } from '../../contract/result-filter.ts';
import { safeOutput } from '../../export/guard.ts';
import { exportTags } from '../../library/tagging/export-tags.ts';
import type { PairScope } from '../../store/types.ts';
import type { AppService } from '../app-service.ts';

/** Where to write; null when the dialog was closed. */
export type ExportShell = Readonly<{ pickPlaceForExport: (name: string) => Promise<string | null> }>;

const changesShown = 200;
const tellEveryMs = 100;

type Wanted = Readonly<{ format: ExportFormat; reviewed: boolean; filter: ResultFilter }>;
const scopeOf = ({ filter, reviewed }: Wanted): PairScope => ({
  kind: 'results',
  filter,
  ...(reviewed && { reviewed }),
});

export const exportHandlers = (service: AppService, shell: ExportShell): Handlers['export'] => {
  const { core, store, settings, finder } = service;
  const progressTeller = () => {
    let toldAt = 0;
    return (progress: Readonly<{ rows: number; total: number }>) => {
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      service.events.emit('export', progress);
    };
  };
  const rankingOf = async ({ filter: { fits } }: Wanted) => (fits ? (await finder.find(fits.text)).ranking : undefined);
  return {
    plan: async (wanted, { signal }) => {
      await rankingOf(wanted);
      if (wanted.format !== 'xmp') {
        return { rows: await store.verdicts.count(scopeOf(wanted)), files: 1, changes: [], failed: [] };
      }
      const changes: SidecarChange[] = [];
      const onChange = (change: SidecarChange) => void (changes.length < changesShown && changes.push(change));
      const ports = { signal, dryRun: true, onChange, onProgress: progressTeller() };
      const { files, rows, failed } = await exportTags(store, settings.now().tags, scopeOf(wanted), ports);
      return { rows, files: files.length, changes, failed: failed.slice(0, changesShown) };
    },
    run: async (wanted, { signal }) => {
      const { format } = wanted;
      const ranking = await rankingOf(wanted);
      const onProgress = progressTeller();
      if (format === 'xmp') {
        const ports = { signal, dryRun: false, onProgress };
        const { files, rows, failed } = await exportTags(store, settings.now().tags, scopeOf(wanted), ports);
        service.events.emit('tagsChanged');
        return { rows, files: files.length, path: null, failed: failed.slice(0, changesShown) };
      }
      const picked = await shell.pickPlaceForExport(`vouch-verdicts.${exportEndings[format]}`);
      if (picked === null) return null;
      const out = await safeOutput(picked, core.home);
      const rows = await core.exportFile({ format, out, scope: scopeOf(wanted), ranking }, { signal, onProgress });
      return { rows, files: 1, path: out, failed: [] };
    },
  };
};

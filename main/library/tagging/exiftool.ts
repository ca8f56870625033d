/** ExifTool, for sidecars that others have written: it keeps all that it does not change. Started when first needed. */
import type { ExifTool, TagEdit } from 'exiftool-vendored';

export type SidecarKeywords = Readonly<{ subject: readonly string[]; hierarchical: readonly string[] }>;
type KeywordEdits = Readonly<{ add: readonly string[]; remove: readonly string[] }>;

export type SidecarEditor = Readonly<{
  /** Rejects with what is wrong, in words. */
  read: (sidecar: string) => Promise<SidecarKeywords>;
  /** Changes both lists; the file is replaced in one step. */
  edit: (sidecar: string, subject: KeywordEdits, hierarchical: KeywordEdits) => Promise<void>;
  /** Ends its processes. */
  close: () => Promise<void>;
}>;

const processes = 2;
const taskTimeoutMs = 20_000;

const listOf = (value: unknown): readonly string[] =>
  value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String);

/** The first line without the path that ExifTool ends it with. */
const inWords = (error: unknown): Error => {
  const text = error instanceof Error ? error.message : String(error);
  if (/perl/i.test(text) && /not found|ENOENT|no such|could not|which/i.test(text)) {
    return new Error('changing a sidecar that another program wrote needs Perl, which is not installed', {
      cause: error,
    });
  }
  return new Error(text.split('\n')[0]!.replace(/ - \/.*$/, ''), { cause: error });
};

const editsOf = (tag: 'XMP-dc:Subject' | 'XMP-lr:HierarchicalSubject', { add, remove }: KeywordEdits): TagEdit[] => [
  ...remove.map((value): TagEdit => ({ tag, operation: 'remove', value })),
  ...add.map((value): TagEdit => ({ tag, operation: 'add', value })),
];

export const openSidecarEditor = (): SidecarEditor => {
  let starting: Promise<ExifTool> | undefined;
  const start = (): Promise<ExifTool> => {
    starting ??= import('exiftool-vendored').then(
      (library) => new library.ExifTool({ maxProcs: processes, taskTimeoutMillis: taskTimeoutMs }),
    );
    return starting;
  };
  return {
    read: async (sidecar) => {
      try {
        const readArgs = ['-fast', '-XMP-dc:Subject', '-XMP-lr:HierarchicalSubject'];
        const tags = await (await start()).readRaw<Readonly<Record<string, unknown>> & object>(sidecar, { readArgs });
        if (typeof tags.Error === 'string') throw new Error(tags.Error);
        return { subject: listOf(tags.Subject), hierarchical: listOf(tags.HierarchicalSubject) };
      } catch (error) {
        throw inWords(error);
      }
    },
    edit: async (sidecar, subject, hierarchical) => {
      const edits = [...editsOf('XMP-dc:Subject', subject), ...editsOf('XMP-lr:HierarchicalSubject', hierarchical)];
      if (edits.length === 0) return;
      try {
        await (await start()).editTags(sidecar, edits, { writeArgs: ['-overwrite_original'] });
      } catch (error) {
        throw inWords(error);
      }
    },
    close: async () => {
      await starting?.then((tool) => tool.end()).catch(() => undefined);
      starting = undefined;
    },
  };
};

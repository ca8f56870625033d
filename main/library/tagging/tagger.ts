/** Keeps tags in step with verdicts, reviews and folders: whatever changed waits in the store's queue. */
import { readFolderSettings } from '../../contract/folder.ts';
import type { Tagging } from '../../contract/tagging.ts';
import type { FolderRecord, PairScope, PhotoKey, Store } from '../../store/types.ts';
import { holderOf } from '../folders.ts';
import { openSidecarEditor, type SidecarEditor } from './exiftool.ts';
import type { TagRules } from './plan.ts';
import { type Tagged, type TagPorts, tagPhotos } from './tag-photos.ts';

const handful = 64;

/** The setting of the innermost registered folder that holds a path. */
const modeByFolder =
  (folders: readonly FolderRecord[]): ((path: string) => Tagging) =>
  (path) => {
    const folder = holderOf(path, folders);
    return folder ? readFolderSettings(folder.settings).tagging : 'off';
  };

/** Tags all photos that wait for it; returns how many those were. Failures stay in the queue with their problem. */
export const tagDue = async (
  ports: TagPorts & Readonly<{ store: Store }>,
  rules: TagRules,
  signal: AbortSignal,
  onFailed?: (failed: Tagged['failed']) => void,
): Promise<number> => {
  const modeOf = modeByFolder(await ports.store.folders.list());
  let tagged = 0;
  while (!signal.aborted) {
    const subjects = await ports.store.tags.due(handful);
    if (subjects.length === 0) break;
    const { failed } = await tagPhotos(subjects, { rules, modeOf, by: 'folder' }, ports);
    if (failed.length > 0) onFailed?.(failed);
    tagged += subjects.length;
  }
  return tagged;
};

/** As tagDue, by a process that does not stay. */
export const tagOnce = async (store: Store, rules: TagRules, signal: AbortSignal): Promise<number> => {
  const editor = openSidecarEditor();
  try {
    return await tagDue({ store, editor }, rules, signal);
  } finally {
    await editor.close();
  }
};

/** Tags photos in a scope in sidecars, whatever their folder says; yields what each handful came to. */
export async function* tagScope(
  ports: TagPorts,
  rules: TagRules,
  scope: PairScope,
  dryRun: boolean,
): AsyncGenerator<Tagged & Readonly<{ photos: number }>> {
  for (let after: PhotoKey = 0; ; ) {
    const subjects = await ports.store.tags.inScope(scope, after, handful);
    const last = subjects.at(-1);
    if (!last) return;
    after = last.photo;
    // Settling must not take a photo off the queue on which its folder's tagging still waits.
    const apart = subjects.map((subject) => ({ ...subject, turn: -1 }));
    const tagged = await tagPhotos(apart, { rules, modeOf: () => 'xmp', by: 'export', dryRun }, ports);
    yield { ...tagged, photos: subjects.length };
  }
}

export type Tagger = Readonly<{
  /** Something may have changed; asked often, it acts once things have been calm for a moment. */
  nudge: () => void;
  /** Looks at a folder's photos again, since its tagging has changed; at all photos when null. */
  revisit: (folder: string | null) => Promise<void>;
  /** Tries again what could not be tagged. */
  retry: () => Promise<void>;
  close: () => Promise<void>;
}>;

type TaggerPorts = Readonly<{
  store: Store;
  rules: () => TagRules;
  /** After photos were tagged. */
  onTagged?: () => void;
  /** These sidecars could not be written. */
  onFailed?: (failed: Tagged['failed']) => void;
  onError: (error: unknown) => void;
  editor?: SidecarEditor;
}>;

const calmMs = 400;
const longestMs = 1500;

export const openTagger = ({
  store,
  rules,
  onTagged,
  onFailed,
  onError,
  editor = openSidecarEditor(),
}: TaggerPorts): Tagger => {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let waitingSince: number | null = null;
  let working: Promise<void> = Promise.resolve();

  const work = (): void => {
    waitingSince = null;
    working = working.then(async () => {
      try {
        if ((await tagDue({ store, editor }, rules(), stop.signal, onFailed)) > 0) onTagged?.();
      } catch (error) {
        if (!stop.signal.aborted) onError(error);
      }
    });
  };
  const nudge = (): void => {
    if (stop.signal.aborted) return;
    waitingSince ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(work, Math.max(0, Math.min(calmMs, waitingSince + longestMs - performance.now())));
  };

  const retry = async (): Promise<void> => {
    await store.tags.retry();
    nudge();
  };

  // What failed last time may work now.
  retry().catch(onError);
  return {
    nudge,
    retry,
    revisit: async (folder) => {
      await store.tags.queueUnder(folder);
      nudge();
    },
    close: async () => {
      stop.abort();
      clearTimeout(timer);
      await working;
      await editor.close();
    },
  };
};

/** How often a file that cannot be judged as a whole is looked at again, in case it is still on its way. */
import type { QuarantineReason } from '../../contract/photo.ts';
import type { NotNow } from '../scan-types.ts';

/** Waits between the tries, in settling times; after the last one the file is taken for what it is. */
const waits = [1, 2, 4, 8];
const longest = 8;

/** What more bytes may mend. */
const mayMend: ReadonlySet<QuarantineReason['code'] | 'damaged'> = new Set([
  'damaged',
  'empty_file',
  'not_an_image',
  'undecodable',
  'unreadable',
  'still_changing',
] as const);

const codeOf = (why: QuarantineReason | 'damaged') => (why === 'damaged' ? why : why.code);

export type Patience = Readonly<{
  /** How long to wait before the next try; null: no more tries. */
  next: (path: string, why: NotNow) => number | null;
  /** The file is judged, or gone. */
  forget: (path: string) => void;
}>;

export const openPatience = (settleMs: number): Patience => {
  const tries = new Map<string, number>();
  return {
    next: (path, why) => {
      const tried = tries.get(path) ?? 0;
      // The engine is not the file's fault: it is asked again for as long as it takes.
      const wait = why === 'not_done' ? longest : mayMend.has(codeOf(why)) ? waits[tried] : undefined;
      if (wait === undefined) tries.delete(path);
      else if (why !== 'not_done') tries.set(path, tried + 1);
      return wait === undefined ? null : wait * settleMs;
    },
    forget: (path) => void tries.delete(path),
  };
};

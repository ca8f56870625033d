/** Tells once of each finished piece of work: what was judged between one calm spell and the next. */

export type FinishedWork = Readonly<{ photoIds: readonly string[]; quarantined: number }>;

export type WorkDigest = Readonly<{
  judged: (photoIds: readonly string[]) => void;
  quarantined: (files: number) => void;
  close: () => void;
}>;

/** `busy`: whether more is under way. The piece is finished once it was not for `calmMs`. */
export const openWorkDigest = (
  busy: () => boolean,
  calmMs: number,
  finished: (work: FinishedWork) => void,
): WorkDigest => {
  let photoIds = new Set<string>();
  let quarantined = 0;
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    timer = undefined;
    if (busy()) return wait();
    const work: FinishedWork = { photoIds: [...photoIds], quarantined };
    photoIds = new Set();
    quarantined = 0;
    finished(work);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(look, calmMs);
  };

  return {
    judged: (ids) => {
      for (const id of ids) photoIds.add(id);
      if (ids.length > 0) wait();
    },
    quarantined: (files) => {
      quarantined += files;
      if (files > 0) wait();
    },
    close: () => clearTimeout(timer),
  };
};

/**
 * The crash rule. Whatever was in a host when it died is a suspect and is tried again alone, one at a time; what kills
 * the host again and again while alone is given up, and the innocent get through. A death that a task cannot be blamed
 * for (a planned restart) costs only the time of another try.
 */

/**
 * Why a host is gone: it crashed, did not answer and was killed, was killed from outside, was restarted on purpose, or
 * was stopped for good.
 */
export type HostEnd = 'crashed' | 'hung' | 'killed' | 'recycled' | 'stopped';
const blameless = (how: HostEnd): boolean => how === 'recycled' || how === 'stopped';

export class HostLost extends Error {
  readonly how: HostEnd;
  constructor(how: HostEnd) {
    super(`host ${how}`);
    this.how = how;
  }
}

/** Thrown for a task that is given up. */
export class KillsHost extends Error {
  readonly times: number;
  constructor(times: number) {
    super(`killed its host ${times} times`);
    this.times = times;
  }
}

/** Thrown for a task that lost its host too often without ever being to blame. */
export class TooManyTries extends Error {}
/** The host was killed from outside again and again while this task was alone in it: left for another day. */
export class KilledFromOutside extends TooManyTries {
  readonly times: number;
  constructor(times: number) {
    super(`its host was killed from outside ${times} times`);
    this.times = times;
  }
}

const strikesAllowed = 2;
/** Whoever kills hosts may have his reasons, such as the memory that a task takes: it is not tried for ever. */
const killsAllowed = 4;
const triesAllowed = 12;

/** What a task's tries came to so far. A suspect is only tried alone. */
type CrashRecord = Readonly<{ tries: number; strikes: number; kills: number; suspect: boolean }>;
export const cleanRecord: CrashRecord = { tries: 0, strikes: 0, kills: 0, suspect: false };

/**
 * The record of a task whose host went while it was inside, and `alone` if nobody else was.
 * @throws KillsHost, KilledFromOutside or TooManyTries where it is given up.
 */
export const afterLoss = (record: CrashRecord, { how, message }: HostLost, alone: boolean): CrashRecord => {
  const blamed = alone && !blameless(how);
  const next: CrashRecord = {
    tries: record.tries + 1,
    strikes: record.strikes + (blamed && how !== 'killed' ? 1 : 0),
    kills: record.kills + (blamed && how === 'killed' ? 1 : 0),
    suspect: record.suspect || !blameless(how),
  };
  if (next.strikes >= strikesAllowed) throw new KillsHost(next.strikes);
  if (next.kills >= killsAllowed) throw new KilledFromOutside(next.kills);
  if (next.tries >= triesAllowed) throw new TooManyTries(message);
  return next;
};

export type Isolation = Readonly<{
  /** Runs a task that rejects with `HostLost` when its host goes; the task may be called several times. */
  run: <T>(task: () => Promise<T>) => Promise<T>;
  suspects: () => number;
}>;

/** The crash rule for the tasks of one host. */
export const createIsolation = (): Isolation => {
  let together = 0;
  let alone = false;
  const newcomers: Array<() => void> = [];
  const suspects: Array<() => void> = [];

  const admit = () => {
    if (alone) return;
    const suspect = together === 0 ? suspects.shift() : undefined;
    if (suspect) {
      alone = true;
      suspect();
    } else if (suspects.length === 0) {
      for (const enter of newcomers.splice(0)) {
        together += 1;
        enter();
      }
    }
  };
  const enter = (line: Array<() => void>) =>
    new Promise<void>((resolve) => {
      line.push(resolve);
      admit();
    });

  const run = async <T>(task: () => Promise<T>): Promise<T> => {
    let record = cleanRecord;
    let entered = enter(newcomers);
    for (;;) {
      await entered;
      const wasAlone = record.suspect;
      try {
        return await task();
      } catch (error) {
        if (!(error instanceof HostLost)) throw error;
        record = afterLoss(record, error, wasAlone);
        const { suspect } = record;
        // In line before leaving, so that no newcomer slips in between.
        entered = new Promise((resolve) => (suspect ? suspects : newcomers).push(resolve));
      } finally {
        if (wasAlone) alone = false;
        else together -= 1;
        admit();
      }
    }
  };
  return { run, suspects: () => suspects.length + (alone ? 1 : 0) };
};

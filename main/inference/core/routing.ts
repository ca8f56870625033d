/**
 * Which photo goes to which line next. Pure: what waits and how the lines stand comes in, the next step comes out.
 *
 * Whoever is waited for goes before bulk work, and that before what is tried again; among those of one priority the order
 * of arrival is kept, also by a photo that a lost line gave back. A photo goes to the line with room that will be done with
 * it soonest, by what each line was measured to take. A suspect (it was in a host that died) is tried alone: one line
 * takes in nothing more, and when that is empty it gets the suspects one by one, while the others go on.
 */
import { type Priority, priorities } from '../../contract/priority.ts';

export type WaitingPhoto = Readonly<{
  /** Counts up as photos come. */
  order: number;
  priority: Priority;
  suspect: boolean;
}>;

export type LineView = Readonly<{
  /** Its host is up. */
  up: boolean;
  /** Photos that it was given and that are not done; of these, those that nobody waits for. */
  inside: number;
  bulkInside: number;
  /** Photos that it may hold at all: none while it pauses or its host is replaced. */
  most: number;
  /** Photos that its host runs and holds ahead. */
  ahead: number;
  msPerPhoto: number;
}>;

/** Takes one of the waiting photos out of the queue into a line. */
export type Given = Readonly<{ photo: number; line: number }>;

const before = (a: WaitingPhoto, b: WaitingPhoto): boolean => {
  const [first, second] = [priorities.indexOf(a.priority), priorities.indexOf(b.priority)];
  return first < second || (first === second && a.order < b.order);
};

/** Of those that hold, the one that comes first; -1 for none. */
const firstWhere = <T>(
  items: readonly T[],
  holds: (item: T, i: number) => boolean,
  isBefore: (a: T, b: T) => boolean,
) => items.reduce((best, item, i) => (holds(item, i) && (best < 0 || isBefore(item, items[best]!)) ? i : best), -1);

/** What the sum of two speeds may be off by. */
const rounding = 1e-9;

/** The line's part of the photos that image hosts work on, by its speed. */
const decodingFor = (line: LineView, lines: readonly LineView[], decoding: number): number => {
  const rates = lines.filter(({ up }) => up).reduce((sum, { msPerPhoto }) => sum + 1 / msPerPhoto, 0);
  return rates === 0 ? decoding : Math.ceil(decoding / (line.msPerPhoto * rates) - rounding);
};

const hasRoom = (line: LineView, priority: Priority, lines: readonly LineView[], decoding: number): boolean =>
  line.up &&
  line.inside < line.most &&
  (priority === 'interactive' || line.bulkInside < line.ahead + decodingFor(line, lines, decoding));

/** Photos that may be in the engine at once, besides those that a person waits for. */
export const roomOf = (lines: readonly LineView[], decoding: number): number => {
  const up = lines.filter((line) => line.up);
  return (up.length > 0 ? up : lines).reduce((sum, { ahead }) => sum + ahead, 0) + decoding;
};

/** Where suspects are tried, which gets nothing else; `busy` while one is in it. */
export type Trial = Readonly<{ line: number; busy: boolean }>;

/** The line for suspects: that of before while it is up, else the one that is empty soonest; null for none. */
export const trialLine = (lines: readonly LineView[], current: number | null): number | null => {
  if (current !== null && lines[current]?.up) return current;
  const found = firstWhere(
    lines,
    ({ up }) => up,
    (a, b) => a.inside < b.inside,
  );
  return found < 0 ? null : found;
};

/** `trial` null: there are no suspects, or no line is up. */
export const nextGiven = (
  waiting: readonly WaitingPhoto[],
  lines: readonly LineView[],
  trial: Trial | null,
  decoding: number,
): Given | null => {
  const suspect = firstWhere(waiting, (photo) => photo.suspect, before);
  const empty = trial && !trial.busy ? lines[trial.line] : undefined;
  if (suspect >= 0 && trial && empty?.inside === 0 && empty.most > 0) return { photo: suspect, line: trial.line };
  const photo = firstWhere(waiting, (other) => !other.suspect, before);
  const next = waiting[photo];
  if (!next) return null;
  const line = firstWhere(
    lines,
    (view, i) => i !== trial?.line && hasRoom(view, next.priority, lines, decoding),
    (a, b) => (a.inside + 1) * a.msPerPhoto < (b.inside + 1) * b.msPerPhoto,
  );
  return line < 0 ? null : { photo, line };
};

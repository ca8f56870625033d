/**
 * Lays the pictures of the next batch side by side in one buffer per view, while others run. Buffers are
 * handed to a session worker and come back to be filled again.
 */
import type { ViewSpec } from '../../contract/seam.ts';

type Buffers = Readonly<Record<string, ArrayBuffer>>;
/** Something whose pixels are the views one after another, in the order of the specs. */
export type Pictured = Readonly<{ pixels: Uint8Array }>;

/** Bytes of one photo's pixels: all its views. */
export const bytesPerPhoto = (views: readonly ViewSpec[]): number =>
  views.reduce((sum, { width, height }) => sum + width * height * 3, 0);

export type Staging<T extends Pictured> = Readonly<{
  /** Copies in ahead of time what the next batch, of at most `capacity` pictures, will probably hold. */
  prepare: (items: readonly T[], capacity: number) => void;
  /** The buffers of a batch, with room for `capacity` pictures; reuses what was prepared. */
  fill: (items: readonly T[], capacity: number) => Buffers;
  giveBack: (buffers: Buffers) => void;
}>;

/** `spares`: buffers to keep for later, one per batch that may run at once. */
export const createStaging = <T extends Pictured>(views: readonly ViewSpec[], spares: number): Staging<T> => {
  type Stage = Readonly<{ capacity: number; buffers: Buffers; items: T[] }>;
  const spare: Buffers[] = [];
  let stage: Stage | undefined;
  const bytesOf = ({ width, height }: ViewSpec): number => width * height * 3;
  const capacityOf = (buffers: Buffers): number => {
    const [first] = views;
    return first ? (buffers[first.id]?.byteLength ?? 0) / bytesOf(first) : 0;
  };
  const allocate = (capacity: number): Buffers =>
    Object.fromEntries(views.map((view) => [view.id, new ArrayBuffer(bytesOf(view) * capacity)]));

  const open = (capacity: number): Stage => {
    const fitting = spare.pop();
    const buffers = fitting && capacityOf(fitting) >= capacity ? fitting : allocate(capacity);
    return { capacity: capacityOf(buffers), buffers, items: [] };
  };
  const copyIn = (into: Stage, item: T): void => {
    let from = 0;
    for (const view of views) {
      const bytes = bytesOf(view);
      const target = new Uint8Array(into.buffers[view.id]!, into.items.length * bytes, bytes);
      target.set(item.pixels.subarray(from, from + bytes));
      from += bytes;
    }
    into.items.push(item);
  };
  const lay = (items: readonly T[], capacity: number): Stage => {
    if (!stage || stage.capacity < capacity) stage = open(capacity);
    let same = 0;
    while (same < stage.items.length && same < items.length && stage.items[same] === items[same]) same += 1;
    stage.items.length = same;
    for (const item of items.slice(same)) copyIn(stage, item);
    return stage;
  };

  return {
    prepare: (items, capacity) => {
      lay(items, capacity);
    },
    fill(items, capacity) {
      const { buffers } = lay(items, capacity);
      stage = undefined;
      return buffers;
    },
    giveBack(buffers) {
      if (spare.length < spares) spare.push(buffers);
    },
  };
};

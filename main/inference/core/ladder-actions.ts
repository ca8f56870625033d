/** The ladder at work in an engine: who is let in, hosts that are replaced while nobody is in them, and what is told. */
import type { LadderSettings } from '../../contract/settings.ts';
import { createGate, type Gate } from '../../hosts/gate.ts';
import { HostLost } from '../../hosts/isolation.ts';
import { memoryReader } from '../memory.ts';
import type { EngineEvent, EngineOptions } from './engine-types.ts';
import type { InferenceLine } from './inference-line.ts';
import { type LadderWalk, walkLadder } from './ladder-runner.ts';

export type EngineLadder = Readonly<{
  walk: LadderWalk;
  /** Every photo on its way to the inference host passes it. */
  admission: Gate;
  /** A batch failed in a way that no photo is to blame for: replaces its host. Tells how to treat the job. */
  lost: (generation: number, kind: 'out_of_memory' | 'device_lost') => HostLost;
  degraded: () => boolean;
  /** Replaces the inference host while nobody is in it. */
  renew: () => Promise<void>;
  set: (settings: LadderSettings) => void;
  close: () => void;
}>;

const drainEveryMs = 20;

export const openLadder = (
  options: EngineOptions,
  inference: InferenceLine,
  tell: (event: EngineEvent) => void,
): EngineLadder => {
  let { ladder } = options;
  let draining = 0;
  let lostIn = 0;
  let how: HostLost['how'] = 'crashed';

  const admission = createGate(() => (draining > 0 ? 0 : (walk?.admitted() ?? Number.POSITIVE_INFINITY)));
  let last: Promise<void> = Promise.resolve();
  /** Holds newcomers back and waits until those inside are through; one act after another. */
  const alone = (act: () => Promise<void>): Promise<void> => {
    draining += 1;
    const mine = last
      .then(async () => {
        while (admission.inside() > 0) await new Promise((resolve) => setTimeout(resolve, drainEveryMs));
        await act();
      })
      .finally(() => {
        draining -= 1;
        admission.widen();
      });
    last = mine.catch(() => undefined);
    return mine;
  };
  const replace = async (): Promise<void> => {
    inference.recycle();
    await inference.up();
  };
  const settle = (place: Parameters<InferenceLine['place']>[0]): void => {
    inference.place(place);
    // After a failed batch its host is replaced anyway.
    void alone(async () => {
      if (!inference.placed().asWanted) await replace();
    }).catch(() => undefined);
  };

  const probe = async (): Promise<boolean> => {
    let back = false;
    await alone(async () => {
      inference.place({ fallback: false });
      await replace().catch(() => undefined);
      back = !inference.placed().fallback && inference.info()?.device.fallbackReason === null;
      if (back) return;
      inference.place({ fallback: true });
      await replace().catch(() => undefined);
    });
    return back;
  };

  const walk: LadderWalk | undefined = walkLadder({
    settings: ladder,
    readMemory: memoryReader(() => inference.info()?.device ?? null),
    traits: () => ({
      reduced: inference.placed().reduced,
      slowed: inference.heartbeat()?.slowed ?? false,
      smallerSizes: inference.smallerSizes,
    }),
    tell,
    admit: () => admission.widen(),
    divideBatch: inference.divideBatch,
    place: settle,
    probe,
  });

  return {
    walk,
    admission,
    lost(generation, kind) {
      if (lostIn === generation) return new HostLost(how);
      lostIn = generation;
      const before = {
        cap: inference.cap() ?? inference.heartbeat()?.batch ?? 1,
        fallback: inference.placed().fallback,
      };
      walk.note({ kind });
      const cap = inference.cap();
      if (kind === 'out_of_memory') tell({ kind, ceiling: cap });
      // Where something was changed, another try may go well, and nobody is to blame.
      const fellBack = !before.fallback && walk.onFallback();
      how = fellBack || (cap !== null && cap < before.cap) ? 'recycled' : 'crashed';
      inference.recycle();
      return new HostLost(how);
    },
    degraded: () => inference.placed().reduced !== null || ladder.pinned === 3,
    renew: () => alone(replace),
    set(next) {
      ladder = next;
      walk.set(next);
    },
    close() {
      walk.close();
    },
  };
};

/** The one place where events are told and heard. Whoever wants to tell something is handed it by the core. */
import type { EventFields, EventName, TelemetryEvent } from '../contract/telemetry.ts';

export type Telemetry = Readonly<{
  /** Costs next to nothing for an event that nobody listens to. */
  emit: <E extends EventName>(event: E, fields: EventFields<E>) => void;
  /** Hears these events at once, in the order they are told. Returns what ends it. */
  subscribe: <E extends EventName>(events: readonly E[], listener: (event: TelemetryEvent<E>) => void) => () => void;
}>;

type Listener = (event: TelemetryEvent) => void;

export const createTelemetry = (): Telemetry => {
  const listeners = new Map<EventName, readonly Listener[]>();
  return {
    emit: (event, fields) => {
      const heardBy = listeners.get(event);
      if (heardBy === undefined) return;
      const told = { event, at: Date.now(), fields } as TelemetryEvent;
      for (const listener of heardBy) {
        try {
          listener(told);
        } catch (error) {
          // The work that an event tells of must not end because a listener failed.
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    },
    subscribe: (events, listener) => {
      const mine = listener as Listener;
      for (const event of events) listeners.set(event, [...(listeners.get(event) ?? []), mine]);
      return () => {
        for (const event of events) {
          const others = (listeners.get(event) ?? []).filter((other) => other !== mine);
          if (others.length > 0) listeners.set(event, others);
          else listeners.delete(event);
        }
      };
    },
  };
};

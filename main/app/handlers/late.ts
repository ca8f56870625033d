/** Handlers of areas that need the core, there before the core is: each call waits until it has opened. */
import type { Handlers } from '../../contract/api.ts';
import { type Area, channels } from '../../contract/channels.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

export const lateHandlers = <A extends Area>(
  areas: readonly A[],
  core: () => Promise<Pick<Handlers, A>>,
): Pick<Handlers, A> => {
  const late = (area: A, name: string): Method => {
    return async (...args) => {
      const methods = (await core())[area] as unknown as Readonly<Record<string, Method>>;
      return methods[name]!(...args);
    };
  };
  return Object.fromEntries(
    areas.map((area) => [area, Object.fromEntries(channels[area].map((name) => [name, late(area, name)]))]),
  ) as unknown as Pick<Handlers, A>;
};

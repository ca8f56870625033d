/** Which items of the grid are selected. Pure. */
export type Selection = Readonly<{
  ids: ReadonlySet<string>;
  /** The item at which a range begins. */
  anchor: string | null;
}>;

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

export const only = (id: string): Selection => ({ ids: new Set([id]), anchor: id });

export const toggled = ({ ids }: Selection, id: string): Selection => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
};

/** Selects all from the anchor (or the first item) to `id`, both included. */
export const rangeTo = (selection: Selection, id: string, order: readonly string[]): Selection => {
  const from = Math.max(0, order.indexOf(selection.anchor ?? ''));
  const to = order.indexOf(id);
  if (to < 0) return selection;
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: order[from] ?? id };
};

export const all = (order: readonly string[]): Selection => ({ ids: new Set(order), anchor: order[0] ?? null });

/** The arithmetic of the grid: how many columns fit, how large a cell is, where a key leads. */

/** The space between cells, and that between the cells and the edges of the grid, in CSS pixels; grid.css has the same. */
export const gap = 8;
export const padding = 16;
const aspect = 4 / 3;

/** Cells at least `thumbnail` wide fill the width evenly. */
export const gridLayout = (width: number, thumbnail: number) => {
  const columns = Math.max(1, Math.floor((width + gap) / (thumbnail + gap)));
  const cellWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  return { columns, cell: { width: cellWidth, height: Math.round(cellWidth / aspect) } };
};

/** Where a key leads from `index` (-1: nowhere yet); null for a key that moves nothing. */
export const moved = (
  key: string,
  index: number,
  { columns, count, page }: Readonly<{ columns: number; count: number; page: number }>,
): number | null => {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -columns * page,
    PageDown: columns * page,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  if (step === undefined || count === 0) return null;
  if (index < 0) return 0;
  const to = index + step;
  if (key === 'ArrowUp' && to < 0) return index;
  if (key === 'ArrowDown' && to >= count) {
    const lastRow = Math.floor((count - 1) / columns);
    return Math.floor(index / columns) < lastRow ? count - 1 : index;
  }
  return Math.min(count - 1, Math.max(0, to));
};

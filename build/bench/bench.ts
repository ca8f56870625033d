/** What every benchmark is and has at hand. */

/** `ratios` and `ms` hold the figures that are judged; the rest explains them. */
export type BenchResult = Readonly<{
  ratios?: Readonly<Record<string, number | null>>;
  ms?: Readonly<Record<string, number>>;
  [detail: string]: unknown;
}>;
export type Bench = (say: (line: string) => void) => Promise<BenchResult>;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Runs both sides in turn, the first to go changing each round, so that a busy spell hits both alike. */
export const alternate = async <A, B>(
  rounds: number,
  a: () => Promise<A>,
  b: () => Promise<B>,
): Promise<readonly Readonly<{ a: A; b: B }>[]> => {
  const results: { a: A; b: B }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await a();
      results.push({ a: first, b: await b() });
    } else {
      const first = await b();
      results.push({ a: await a(), b: first });
    }
  }
  return results;
};

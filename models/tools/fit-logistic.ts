/** Ridge logistic regression by Newton's method; the first feature is the bias and is not shrunk. */

export type Row = Readonly<{ x: Float64Array; y: 0 | 1; weight: number }>;

export function fitLogistic(rows: readonly Row[], ridge: number): Float64Array {
  const size = rows[0]?.x.length ?? 0;
  const beta = new Float64Array(size);
  for (let round = 0; round < 50; round++) {
    const hessian = Array.from({ length: size }, () => new Float64Array(size + 1));
    for (const { x, y, weight } of rows) {
      let z = 0;
      for (let j = 0; j < size; j++) z += beta[j]! * x[j]!;
      const p = 1 / (1 + Math.exp(-z));
      const slope = weight * (y - p);
      const curve = weight * Math.max(1e-6, p * (1 - p));
      for (let j = 0; j < size; j++) {
        const row = hessian[j]!;
        row[size]! += slope * x[j]!;
        for (let k = 0; k < size; k++) row[k]! += curve * x[j]! * x[k]!;
      }
    }
    for (let j = 0; j < size; j++) {
      const shrink = j === 0 ? 1e-6 : ridge;
      hessian[j]![j]! += shrink;
      hessian[j]![size]! -= shrink * beta[j]!;
    }
    const step = solve(hessian);
    let largest = 0;
    for (let j = 0; j < size; j++) {
      beta[j]! += step[j]!;
      largest = Math.max(largest, Math.abs(step[j]!));
    }
    if (largest < 1e-7) break;
  }
  return beta;
}

/** Solves the augmented system [A | b] by Gauss-Jordan elimination. */
function solve(system: readonly Float64Array[]): Float64Array {
  const rows = system.map((row) => Float64Array.from(row));
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let r = i + 1; r < size; r++) if (Math.abs(rows[r]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let r = 0; r < size; r++) {
      if (r === i) continue;
      const factor = rows[r]![i]! / rows[i]![i]!;
      for (let c = i; c <= size; c++) rows[r]![c]! -= factor * rows[i]![c]!;
    }
  }
  return Float64Array.from(rows, (row, i) => row[size]! / row[i]!);
}

/** Scales the weights of each label so that both weigh the same in all. */
export function balance(rows: readonly Row[]): readonly Row[] {
  const total = [0, 0];
  for (const row of rows) total[row.y]! += row.weight;
  const half = (total[0]! + total[1]!) / 2;
  return rows.map((row) => ({ ...row, weight: (row.weight * half) / total[row.y]! }));
}

/** Puts verdicts into columns, statement by statement; for batches made photo by photo. */
import { gradeCode, labelCode, noLabel } from '../codes.ts';
import type { NewVerdict, PackedVerdicts, PhotoKey } from '../types.ts';

export type PhotoVerdict = Readonly<{ photo: PhotoKey; verdict: NewVerdict }>;

const packOne = (rows: readonly PhotoVerdict[]): PackedVerdicts => {
  const first = rows[0]!.verdict;
  const column = (value: (verdict: NewVerdict) => number | undefined) =>
    Float64Array.from(rows, ({ verdict }) => value(verdict) ?? Number.NaN);
  const code = (value: (verdict: NewVerdict) => number) => Uint8Array.from(rows, ({ verdict }) => value(verdict));
  return {
    statement: first.statement,
    hypothesisHash: first.hypothesisHash,
    photos: Uint32Array.from(rows, ({ photo }) => photo),
    pYes: column(({ p }) => p?.yes),
    pNo: column(({ p }) => p?.no),
    pMaybe: column(({ p }) => p?.maybe),
    lean: code(({ lean }) => (lean === null ? noLabel : labelCode(lean))),
    label: code(({ label }) => labelCode(label)),
    grade: code(({ grade }) => gradeCode(grade)),
    confidence: column(({ confidence }) => confidence ?? undefined),
    wantsReview: code(({ wantsReview }) => Number(wantsReview)),
    near: code(({ near }) => Number(near ?? false)),
    reasonCode: rows.map(({ verdict }) => verdict.reason.code),
    reasonParams: rows.map(({ verdict }) => JSON.stringify(verdict.reason.params)),
    caps: rows.map(({ verdict }) => (verdict.caps.length === 0 ? null : JSON.stringify(verdict.caps))),
  };
};

export const packVerdicts = (rows: readonly PhotoVerdict[]): readonly PackedVerdicts[] => {
  const groups = new Map<string, PhotoVerdict[]>();
  for (const row of rows) {
    const key = `${row.verdict.statement} ${row.verdict.hypothesisHash}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map(packOne);
};

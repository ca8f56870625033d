/** Collects the verdicts of one statement in columns, as the store takes them; quick, and cheap to post to a worker. */
import type { Judgement } from '../../contract/seam.ts';
import type { Verdict } from '../../policy/policy.ts';
import { gradeCode, labelCode, noLabel } from '../../store/codes.ts';
import type { PackedVerdicts, PhotoKey, StatementKey } from '../../store/types.ts';

export type Columns = Readonly<{
  /** `judgement` null: nothing was judged. At most `capacity` rows. */
  add: (photo: PhotoKey, judgement: Judgement | null, verdict: Verdict) => void;
  /** What was collected since the last time. */
  take: () => PackedVerdicts;
}>;

export const openColumns = (statement: StatementKey, hypothesisHash: string, capacity: number): Columns => {
  const photos = new Uint32Array(capacity);
  const pYes = new Float64Array(capacity);
  const pNo = new Float64Array(capacity);
  const pMaybe = new Float64Array(capacity);
  const confidence = new Float64Array(capacity);
  const lean = new Uint8Array(capacity);
  const label = new Uint8Array(capacity);
  const grade = new Uint8Array(capacity);
  const wantsReview = new Uint8Array(capacity);
  const near = new Uint8Array(capacity);
  let reasonCode: string[] = [];
  let reasonParams: string[] = [];
  let caps: (string | null)[] = [];
  let size = 0;

  return {
    add(photo, judgement, verdict) {
      if (size === capacity) throw new RangeError(`columns hold ${capacity} rows`);
      photos[size] = photo;
      pYes[size] = judgement?.p.yes ?? Number.NaN;
      pNo[size] = judgement?.p.no ?? Number.NaN;
      pMaybe[size] = judgement?.p.maybe ?? Number.NaN;
      confidence[size] = verdict.confidence ?? Number.NaN;
      lean[size] = verdict.lean === null ? noLabel : labelCode(verdict.lean);
      label[size] = labelCode(verdict.label);
      grade[size] = gradeCode(verdict.grade);
      wantsReview[size] = verdict.wantsReview ? 1 : 0;
      near[size] = verdict.near ? 1 : 0;
      reasonCode.push(verdict.reason.code);
      reasonParams.push(JSON.stringify(verdict.reason.params));
      caps.push(judgement && judgement.caps.length > 0 ? JSON.stringify(judgement.caps) : null);
      size += 1;
    },
    take() {
      const taken: PackedVerdicts = {
        statement,
        hypothesisHash,
        photos: photos.slice(0, size),
        pYes: pYes.slice(0, size),
        pNo: pNo.slice(0, size),
        pMaybe: pMaybe.slice(0, size),
        lean: lean.slice(0, size),
        label: label.slice(0, size),
        grade: grade.slice(0, size),
        confidence: confidence.slice(0, size),
        wantsReview: wantsReview.slice(0, size),
        near: near.slice(0, size),
        reasonCode,
        reasonParams,
        caps,
      };
      reasonCode = [];
      reasonParams = [];
      caps = [];
      size = 0;
      return taken;
    },
  };
};

/** The memory that can be handed over instead of copied. */
export const buffersOf = (rows: PackedVerdicts): readonly ArrayBuffer[] =>
  Object.values(rows).flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));

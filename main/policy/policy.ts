/**
 * The verdict policy: how what an adapter says about the parts of a statement becomes a verdict. Pure and versioned:
 * p, caps and reason are stored raw, so another policy can be applied to them without inference.
 */
import type { Grade, Label, Probabilities } from '../contract/labels.ts';
import type { Cap, VerdictReason } from '../contract/reason.ts';
import type { Judgement } from '../contract/seam.ts';
import { type Calibration, type Calibrations, calibrate } from './calibration.ts';

/**
 * Grows whenever the same raw judgement may get another label, grade or wish for review. What is stored under another
 * version is decided again when a store is opened for writing, without inference (main/review/policy.ts).
 */
export const policyVersion = 1;

/** What a verdict was decided under: the version of these rules, and the revision of what a user's audit has set. */
export type PolicyStamp = Readonly<{ version: number; revision: number }>;

export const sameStamp = (a: PolicyStamp, b: PolicyStamp): boolean =>
  a.version === b.version && a.revision === b.revision;

export type Thresholds = Readonly<{ yes: number; no: number }>;
/** What a user's own audit has set for a pack. */
export type LocalPolicy = Readonly<{ riskControl: Thresholds | null; calibrations: Calibrations | null }>;

/** Where thresholds may come from; each side is looked up by itself. */
export type ThresholdSources = Readonly<{
  statement?: Readonly<Partial<Thresholds>> | undefined;
  riskControl?: Readonly<Partial<Thresholds>> | undefined;
  pack?: Readonly<Partial<Thresholds>> | undefined;
}>;

/** What is true of the photo or of the run, and sends a verdict to review whatever its grade. */
export type Marks = Readonly<{
  damaged: boolean;
  degraded: boolean;
  flagged: boolean;
  blurred: boolean;
  small: boolean;
}>;
export const noMarks: Marks = { damaged: false, degraded: false, flagged: false, blurred: false, small: false };

/** A verdict's derived half. p is calibrated and capped; p, lean and confidence are null when nothing was judged. */
export type Verdict = Readonly<{
  p: Probabilities | null;
  lean: Label | null;
  confidence: number | null;
  grade: Grade;
  label: Label;
  reason: VerdictReason;
  wantsReview: boolean;
  /** Within .1 of what decides its side, above or below; never where a cap decides. */
  near: boolean;
}>;

const defaultThreshold = 0.75;
const highGrade = 0.92;
const nearness = 0.1;
/** No side may be decided on a statement that was only checked in part; low enough to be under every threshold. */
const cutLimit = 0.5;

export const chooseThresholds = ({ statement, riskControl, pack }: ThresholdSources): Thresholds => ({
  yes: statement?.yes ?? riskControl?.yes ?? pack?.yes ?? defaultThreshold,
  no: statement?.no ?? riskControl?.no ?? pack?.no ?? defaultThreshold,
});

const limitOf = (side: 'yes' | 'no', caps: readonly Cap[]): number => {
  let limit = 1;
  for (const cap of caps) if (cap.side === side && cap.limit < limit) limit = cap.limit;
  return limit;
};

const isCapped = (side: 'yes' | 'no', caps: readonly Cap[]): boolean => {
  for (const cap of caps) if (cap.side === side) return true;
  return false;
};

/** Takes the mass of each side above its lowest limit and gives it to maybe. */
export const applyCaps = (p: Probabilities, caps: readonly Cap[]): Probabilities => {
  if (caps.length === 0) return p;
  const yes = Math.min(p.yes, limitOf('yes', caps));
  const no = Math.min(p.no, limitOf('no', caps));
  return { yes, no, maybe: Math.max(0, 1 - yes - no) };
};

/**
 * The parts of a statement joined by AND: p(yes) is that of the part least borne out, p(no) that of the part most
 * denied, what is left is maybe. A cap on any part's yes holds for all of them; a cap on no only counts where that
 * part is the one that denies. What was cut from the statement was not checked, so it caps yes.
 */
export const combineParts = (parts: readonly Judgement[], cut: readonly string[]): Judgement => {
  const first = parts[0];
  if (first === undefined) throw new RangeError('a statement has at least one part');
  const joined = parts.length === 1 ? first : joinParts(first, parts);
  if (cut.length === 0) return joined;
  const cap: Cap = { side: 'yes', limit: cutLimit, reason: { code: 'not_all_checked', params: { cut } } };
  return { ...joined, caps: [...joined.caps, cap] };
};

const joinParts = (first: Judgement, parts: readonly Judgement[]): Judgement => {
  let weakest = first;
  let denier = first;
  for (const part of parts) {
    if (part.p.yes < weakest.p.yes) weakest = part;
    if (deniesMore(part, denier)) denier = part;
  }
  const { yes } = weakest.p;
  const { no } = denier.p;
  return {
    p: { yes, no, maybe: Math.max(0, 1 - yes - no) },
    caps: [
      ...parts.flatMap((part) => part.caps.filter((cap) => cap.side === 'yes')),
      ...denier.caps.filter((cap) => cap.side === 'no'),
    ],
    reason: (no > yes ? denier : weakest).reason,
  };
};

/** An equal denial counts for more where nothing caps it. */
const deniesMore = (a: Judgement, b: Judgement): boolean => {
  const difference = Math.min(a.p.no, limitOf('no', a.caps)) - Math.min(b.p.no, limitOf('no', b.caps));
  return difference > 0 || (difference === 0 && isCapped('no', b.caps) && !isCapped('no', a.caps));
};

/** Ties lean to maybe, then to yes. */
const leanOf = (p: Probabilities): Label => {
  if (p.maybe >= p.yes && p.maybe >= p.no) return 'maybe';
  return p.yes >= p.no ? 'yes' : 'no';
};

const gradeOf = (confidence: number, threshold: number): Grade => {
  if (confidence >= Math.max(highGrade, threshold)) return 'high';
  return confidence >= threshold ? 'medium' : 'low';
};

/** The side that a judgement leans to and how surely, whatever the thresholds; null where no threshold would decide it. */
export const decidableSide = (
  { p: raw, caps }: Pick<Judgement, 'p' | 'caps'>,
  calibration: Calibration | undefined,
): Readonly<{ lean: 'yes' | 'no'; confidence: number }> | null => {
  const p = applyCaps(calibrate(raw, calibration), caps);
  const lean = leanOf(p);
  return lean === 'maybe' || isCapped(lean, caps) ? null : { lean, confidence: p[lean] };
};

const isMarked = (marks: Marks): boolean =>
  marks.damaged || marks.degraded || marks.flagged || marks.blurred || marks.small;

/** Which reason to give: the strictest cap on the side that the photo spoke for, else that of the deciding part. */
const mainReason = (judgement: Judgement, calibrated: Probabilities, label: Label): VerdictReason => {
  const { caps, reason } = judgement;
  if (label !== 'maybe') return reason;
  const spokenFor = leanOf(calibrated);
  let cap: Cap | undefined;
  for (const other of caps) if (other.side === spokenFor && (!cap || other.limit < cap.limit)) cap = other;
  if (cap) return withWhatWasSeen(cap.reason, reason);
  // The adapter does not know the thresholds: what it saw, but not clearly enough, leaves one unsure.
  return reason.code === 'seen' || reason.code === 'not_seen' ? { code: 'unsure', params: reason.params } : reason;
};

/** A cap is fixed before there is a photo; with what was seen of the rest, its reason says more. */
const withWhatWasSeen = (cap: VerdictReason, reason: VerdictReason): VerdictReason =>
  cap.code === 'words_not_checked' && cap.params.evidence.length === 0 && reason.code === 'seen'
    ? { code: cap.code, params: { words: cap.params.words, evidence: reason.params.evidence } }
    : cap;

/** Turns a raw judgement (of one part, or combined) into a verdict: calibrate, cap, then compare with the thresholds. */
export const decide = (
  judgement: Judgement,
  thresholds: Thresholds,
  calibration: Calibration | undefined = undefined,
  marks: Marks = noMarks,
): Verdict => {
  const calibrated = calibrate(judgement.p, calibration);
  const p = applyCaps(calibrated, judgement.caps);
  const lean = leanOf(p);
  const confidence = p[lean];
  const measured =
    lean === 'maybe'
      ? gradeOf(confidence, defaultThreshold)
      : isCapped(lean, judgement.caps)
        ? 'low'
        : gradeOf(confidence, thresholds[lean]);
  // Of a degraded judgement only a decision of grade high stands.
  const grade = marks.degraded && lean !== 'maybe' && measured === 'medium' ? 'low' : measured;
  const label = grade === 'low' ? 'maybe' : lean;
  const wantsReview = label === 'maybe' || grade !== 'high' || isMarked(marks);
  const near =
    lean !== 'maybe' && !isCapped(lean, judgement.caps) && Math.abs(confidence - thresholds[lean]) < nearness;
  return { p, lean, confidence, grade, label, reason: mainReason(judgement, calibrated, label), wantsReview, near };
};

/** Nothing was judged: the photo is flat, or the model did not answer in time. Never replaces a real verdict. */
export const undecided = (reason: Extract<VerdictReason, { code: 'flat' | 'timed_out' }>): Verdict => ({
  p: null,
  lean: null,
  confidence: null,
  grade: 'low',
  label: 'maybe',
  reason,
  wantsReview: true,
  near: false,
});

/** What stands in for an adapter's judgement when the pack does not speak the statement's language. */
export const languageUnsupported = (language: string): Judgement => ({
  p: { yes: 0, no: 0, maybe: 1 },
  caps: [],
  reason: { code: 'language_unsupported', params: { language } },
});

/** From a hypothesis and the evidence of one photo to p, caps and a reason. Pure, and a microsecond or two a pair. */
import type { Cap, Seen, VerdictReason } from '../../../main/contract/reason.ts';
import type { Judgement } from '../../../main/contract/seam.ts';
import { judgeCount, tally } from './counts.ts';
import {
  classAt,
  disagreement,
  type Evidence,
  entropy,
  keptClasses,
  maximumScore,
  peakCount,
  peakScore,
  probabilityAt,
} from './evidence.ts';
import type { Fitted, PresenceWeights } from './fitted.ts';
import { emptyFeatures, linear, readFeatures, sigmoid } from './presence.ts';
import { sceneScore } from './scenes.ts';
import { type Caps, type Hypothesis, noCaps, type Term, type TermGroup } from './statement.ts';

export type Judge = Readonly<{
  fitted: Fitted;
  weights: PresenceWeights;
  classNames: readonly string[];
  detectorNames: readonly string[];
}>;

/** How true one part of a statement is, the caps on it, and the term that decides it. */
type Part = Readonly<{ p: number; caps: Caps; term: Term | undefined }>;

/** A count that the boxes deny leaves this much of p. */
const deniedCount = 0.12;

/** Entropy in nats, detector score and divergence in bits past which a photo is like none the models were made for. */
const diffuse = 5.4;
const clearPeak = 0.3;
const disagreeing = 0.45;

/** A scene that captions do not name may still be there, so a head's denial counts for less. */
const unsaid = 0.6;

const features = emptyFeatures();

/** p that a concept is in the photo, before any count. */
export function presence(judge: Judge, evidence: Evidence, term: Term): number {
  if (term.probe.scene) {
    const score = sceneScore(term.probe.scene, evidence);
    return sigmoid(score < 0 ? unsaid * score : score);
  }
  readFeatures(term.probe, evidence, features);
  return sigmoid(linear(judge.weights[term.probe.kind], features));
}

const capYes = (caps: Caps, reason: VerdictReason): Caps => ({ yes: [...caps.yes, reason], no: caps.no });

/** Diffuse classes and nothing that the detector knows, or two views that disagree: a drawing, a texture, the sky at night. */
const isOutOfDomain = (evidence: Evidence): boolean =>
  (entropy(evidence) > diffuse && (peakCount(evidence) === 0 || peakScore(evidence, 0) < clearPeak)) ||
  disagreement(evidence) > disagreeing;

function judgeTerm(judge: Judge, evidence: Evidence, term: Term): Part {
  const part = judgeCounted(judge, evidence, term);
  if (part.p < 0.5 || term.probe.scene || !isOutOfDomain(evidence)) return part;
  const reason: VerdictReason = { code: 'out_of_domain', params: { evidence: evidenceFor(judge, evidence, term) } };
  return { ...part, caps: capYes(part.caps, reason) };
}

function judgeCounted(judge: Judge, evidence: Evidence, term: Term): Part {
  const p = presence(judge, evidence, term);
  const { count, words } = term.atom;
  if (count === undefined || (count.least === 1 && !count.exact)) return { p, caps: term.caps, term };
  const wanted = count.least;
  const { detections } = term.probe;
  if (detections.length === 0) {
    const reason: VerdictReason = { code: 'count_uncertain', params: { concept: words, wanted, found: 0 } };
    return { p, caps: capYes(term.caps, reason), term };
  }
  const boxes = tally(evidence, detections, judge.fitted.counts);
  const params = { concept: words, wanted, found: boxes.sure };
  const verdict = judgeCount(boxes, count);
  if (verdict === 'yes') return { p, caps: term.caps, term };
  if (verdict === 'open') return { p, caps: capYes(term.caps, { code: 'count_uncertain', params }), term };
  return { p: p * deniedCount, caps: term.caps, term };
}

const negate = ({ p, caps, term }: Part): Part => ({ p: 1 - p, caps: { yes: caps.no, no: caps.yes }, term });

/** All parts must be true: the least true one decides; what caps any YES caps this one, a NO only by the part that denies. */
function all(parts: readonly Part[]): Part {
  const first = parts[0]!;
  if (parts.length === 1) return first;
  let weakest = first;
  let denier: Part | undefined;
  let yes: readonly VerdictReason[] = [];
  for (const part of parts) {
    if (part.p < weakest.p) weakest = part;
    if (part.caps.no.length === 0 && part.p < 0.5 && (!denier || part.p < denier.p)) denier = part;
    if (part.caps.yes.length > 0) yes = yes.length === 0 ? part.caps.yes : [...yes, ...part.caps.yes];
  }
  const decider = denier ?? weakest;
  return { p: decider.p, caps: { yes, no: decider.caps.no }, term: decider.term };
}

const any = (parts: readonly Part[]): Part => (parts.length === 1 ? parts[0]! : negate(all(parts.map(negate))));

function judgeGroup(judge: Judge, evidence: Evidence, group: TermGroup): Part {
  const parts = group.terms.map((term) => {
    const part = judgeTerm(judge, evidence, term);
    return term.atom.negated ? negate(part) : part;
  });
  if (parts.length === 1) return parts[0]!;
  return group.join === 'all' ? all(parts) : any(parts);
}

/** The strongest evidence that was looked at for a concept. */
function evidenceFor(judge: Judge, evidence: Evidence, term: Term): readonly Seen[] {
  const { shares, detections } = term.probe;
  const seen: Seen[] = [];
  for (let i = 0; i < keptClasses && seen.length === 0; i++) {
    const index = classAt(evidence, i);
    if (shares[2 * index]! > 0) seen.push({ name: judge.classNames[index]!, score: probabilityAt(evidence, i) });
  }
  let best = -1;
  for (const index of detections) {
    if (best < 0 || maximumScore(evidence, index) > maximumScore(evidence, best)) best = index;
  }
  if (best >= 0) seen.push({ name: judge.detectorNames[best]!, score: maximumScore(evidence, best) });
  return seen;
}

/** A side that is capped keeps at most this much: enough to show a lean, never enough to be decided. */
const capLimit = 0.6;
const nothing: readonly Cap[] = [];

function listCaps(a: Caps, b: Caps): readonly Cap[] {
  if (a.yes.length + a.no.length + b.yes.length + b.no.length === 0) return nothing;
  const caps: Cap[] = [];
  for (const reason of a.yes) caps.push({ side: 'yes', limit: capLimit, reason });
  for (const reason of b.yes) caps.push({ side: 'yes', limit: capLimit, reason });
  for (const reason of a.no) caps.push({ side: 'no', limit: capLimit, reason });
  for (const reason of b.no) caps.push({ side: 'no', limit: capLimit, reason });
  return caps;
}

export function judgePhoto(judge: Judge, evidence: Evidence, hypothesis: Hypothesis): Judgement {
  const { present, absent, caps } = hypothesis;
  if (present.length + absent.length === 0) {
    return { p: { yes: 0, no: 0, maybe: 1 }, caps: listCaps(caps, noCaps), reason: caps.yes[0]! };
  }
  const parts: Part[] = [];
  for (const group of present) parts.push(judgeGroup(judge, evidence, group));
  for (const group of absent) parts.push(negate(judgeGroup(judge, evidence, group)));
  const whole = all(parts);
  const { term } = whole;
  const denied = term !== undefined && whole.p < 0.5 !== (absent.length > 0 || term.atom.negated === true);
  const reason: VerdictReason = term
    ? {
        code: denied ? 'not_seen' : 'seen',
        params: { concept: term.atom.words, evidence: evidenceFor(judge, evidence, term) },
      }
    : { code: 'model_score', params: {} };
  return {
    p: { yes: whole.p, no: 1 - whole.p, maybe: 0 },
    caps: listCaps(caps, whole.caps),
    reason,
  };
}

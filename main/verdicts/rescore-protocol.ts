/** Messages between the core and the worker that prepares statements and judges evidence. */

import type { VouchError } from '../contract/error.ts';
import type { Device, Precision, Probabilities } from '../contract/labels.ts';
import type { Explanation, LookedFor } from '../contract/reason.ts';
import type { Result } from '../contract/result.ts';
import type { Judgement, SearchFit } from '../contract/seam.ts';
import type { NormalisedStatement } from '../contract/statement.ts';
import type { LabelCounts } from '../contract/views.ts';
import type { LocalPolicy, Marks, Thresholds } from '../policy/policy.ts';
import type { EvidenceWanted } from '../store/sql/read-evidence.ts';
import type { EvidenceKey, NewHypothesis, NewVerdict, PackedVerdicts, StatementKey } from '../store/types.ts';
import type { StatementCache } from './worker/hypotheses.ts';

export type RescoreSetup = Readonly<{
  packDir: string;
  /** In whose store hypotheses are looked for. */
  home: string;
  /** Folder of optimised graphs, or null to do without. */
  graphCache: string | null;
  /** Tables of colloquial words; a file that is missing counts as empty, `user` goes before `builtin`. */
  colloquial: Readonly<{ builtin: string; user: string | null }>;
  /** false: statements are sent as they were written. */
  normalise: boolean;
  policy?: LocalPolicy;
}>;

/** What `vouch.json` and the adapter say of the pack that was opened. */
export type OpenedPack = Readonly<{
  kind: 'separable' | 'joint';
  id: string;
  version: string;
  sha256: string;
  adapterVersion: string;
  /** Statements on whose answers precisions are compared. */
  probes: readonly string[];
  /** null for a joint pack, which keeps no evidence to search in. */
  searchFit: SearchFit | null;
}>;

/** `key`: under which its verdicts are stored; any will do where none are. */
export type StatementToJudge = Readonly<{
  key: StatementKey;
  text: string;
  yes?: number | undefined;
  no?: number | undefined;
  flag?: 'yes' | 'no' | undefined;
}>;

/** Names a statement that the worker holds ready; good until that is released. */
export type StatementHandle = number;

/** What a pack makes of a statement. */
export type PreparedInfo = Readonly<{
  key: StatementKey;
  normalised: NormalisedStatement;
  hypothesisHash: string;
  languageSupported: boolean;
  thresholds: Thresholds;
  /** What a joint pack must be asked; empty where it does not speak the language. */
  parts: readonly string[];
  /** Words, as written, that the pack cannot check on any photo. */
  notChecked: readonly string[];
  /** What photos are looked at for; null where the pack compares a text as a whole. */
  looksFor: readonly LookedFor[] | null;
}>;
export type HeldInfo = PreparedInfo & Readonly<{ handle: StatementHandle }>;
/** A statement of which nothing is left cannot be judged. */
export type ReadResult = Result<PreparedInfo, VouchError<'nothing_left'>>;
export type PrepareResult = Result<HeldInfo, VouchError<'nothing_left'>>;

export type PhotoToJudge = Readonly<{
  seen:
    | Readonly<{ kind: 'evidence'; evidence: Uint8Array }>
    /** Of a joint pack: for each statement in turn, one for each of its `parts`. */
    | Readonly<{ kind: 'judgements'; judgements: readonly Judgement[] }>
    | Readonly<{ kind: 'flat'; deviation: number }>
    | Readonly<{ kind: 'timed_out'; limitMs: number }>;
  marks: Marks;
}>;

/** A verdict to store, with its p after calibration and caps, and why where that was asked for. */
export type JudgedRow = NewVerdict & Readonly<{ adjusted: Probabilities | null; explanation: Explanation | null }>;

/**
 * Which cached evidence to judge, and the statements that `wanted` names, held ready. `otherwise` stands for the
 * precision and device of photos that have no evidence of their own, since they are flat.
 */
export type RescoreQuery = Readonly<{
  home: string;
  wanted: EvidenceWanted;
  statements: readonly StatementHandle[];
  otherwise: MadeBy;
}>;

export type StatementCount = Readonly<{ statement: StatementKey; labels: LabelCounts; wantsReview: number }>;
export type RescoreProgress = Readonly<{ photos: number; counts: readonly StatementCount[] }>;

export type MadeBy = Readonly<{ precision: Precision; device: Device }>;
/** Verdicts on evidence of one precision and device, to be appended together. */
export type RescoredRows = MadeBy & Readonly<{ verdicts: readonly PackedVerdicts[] }>;

/** A search for the photos whose evidence fits a statement that is held ready with a score of at least `least`. */
export type EvidenceSearch = Readonly<{
  home: string;
  evidence: EvidenceKey;
  statement: StatementHandle;
  least: number;
}>;
/** Photos looked at so far, of those that a model was to see. */
export type SearchProgress = Readonly<{ done: number; total: number }>;
/** Photos that fit, by rising key, each with its score on the pack's own scale in [0, 1]. */
export type EvidenceHits = Readonly<{
  photos: Uint32Array<ArrayBuffer>;
  scores: Float64Array<ArrayBuffer>;
  /** Photos that have evidence. */
  searched: number;
  /** Photos that are there, not flat, and have none. */
  unjudged: number;
}>;

export type JudgedPage = Readonly<{ rows: RescoredRows; progress: RescoreProgress }>;
/** Everything was judged, or the rescore was called off. */
export type RescoreOutcome = RescoreProgress & Readonly<{ cancelled: boolean }>;

/** What the core asks the worker; `open` comes first. */
export type RescoreCalls = Readonly<{
  open: (setup: RescoreSetup) => OpenedPack;
  read: (
    statements: readonly StatementToJudge[],
  ) => Readonly<{ statements: readonly ReadResult[]; cache: StatementCache }>;
  /** `keep`: whoever asks stores the hypotheses in `toKeep`, which graphs made and nobody has stored yet. */
  prepare: (
    asked: Readonly<{ statements: readonly StatementToJudge[]; keep: boolean }>,
  ) => Readonly<{ statements: readonly PrepareResult[]; cache: StatementCache; toKeep: readonly NewHypothesis[] }>;
  release: (statements: readonly StatementHandle[]) => void;
  /** For each photo, one row for each statement. */
  judge: (
    asked: Readonly<{ photos: readonly PhotoToJudge[]; statements: readonly StatementHandle[]; explain: boolean }>,
  ) => readonly (readonly JudgedRow[])[];
  /** Statements are decided under this policy from now on, those held ready too. */
  policy: (policy: LocalPolicy) => void;
  search: (search: EvidenceSearch, tell: (progress: SearchProgress) => void) => EvidenceHits;
  rescore: (query: RescoreQuery, tell: (judged: JudgedPage) => void) => RescoreOutcome;
}>;

/** Why a request failed; `error` where a person can do something about it. */
export type RescoreFault = Readonly<{ detail: string; error: VouchError | null }>;

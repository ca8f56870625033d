/**
 * The model seam: what an adapter must offer so that a better model never changes the rest.
 * Adapters are pure code; sessions, tensors, parsers and files come in as arguments.
 */
import type { Probabilities } from './labels.ts';
import type { Answer, Pair } from './operation.ts';
import type { PackManifest } from './pack.ts';
import type { Cap, Explanation, LookedFor, VerdictReason } from './reason.ts';

type TensorData = Uint8Array | Float32Array | Int32Array | BigInt64Array;
export type TensorType = 'uint8' | 'float32' | 'int32' | 'int64';
/** A dense row-major tensor. */
export type Tensor = Readonly<{ type: TensorType; dims: readonly number[]; data: TensorData }>;

/** Runs one graph of the pack by name (its file stem in onnx/, without the precision suffix). */
export type RunGraph = (graph: string, inputs: Readonly<Record<string, Tensor>>) => Promise<Record<string, Tensor>>;

/** How a photo is brought to another size; each filter is widened when shrinking, but for `nearest`. */
export type Resampling = 'nearest' | 'linear' | 'cubic' | 'lanczos3';

/**
 * One picture of a photo that a model wants: uint8 sRGB, HWC, `width` x `height` x 3.
 * `fill` squashes the whole photo; `cover` cuts the central `crop` share of the short side, keeping
 * the aspect ratio; `contain` pads with `pad` grey at the right and bottom.
 * `filter` is linear where it is left out. `fullSize`: made from the photo decoded at its full size, in one step and to
 * the value as Pillow does it, for a model that was trained so; `cover` then brings the short side to its size and cuts
 * afterwards. Slower: without it a photo is shrunk while it is decoded, and by sharp.
 */
export type ViewSpec = Readonly<{
  id: string;
  width: number;
  height: number;
  fit: 'fill' | 'cover' | 'contain';
  crop?: number;
  pad?: number;
  filter?: Resampling;
  fullSize?: boolean;
}>;

/** Views of a batch: for each view id, N x H x W x 3 uint8 values, photo after photo. */
export type PhotoBatch = Readonly<{ size: number; views: Readonly<Record<string, Uint8Array>> }>;

/** p sums to 1, is never negative and is not capped; caps and calibration are applied by the verdict policy. */
export type Judgement = Readonly<{ p: Probabilities; caps: readonly Cap[]; reason: VerdictReason }>;

/**
 * On the pack's own scale in [0, 1]: a photo with a score below `least` does not fit a text, one from `likely` on
 * probably does.
 */
export type SearchFit = Readonly<{ least: number; likely: number }>;

type AnyKind = Readonly<{
  /** Changes whenever the adapter may give another answer for the same photo and statement. */
  version: string;
  views: readonly ViewSpec[];
  /** Graphs that photos go through: the session workers open and probe these. */
  photoGraphs: readonly string[];
  /** Number of tokens the model would read of this part. */
  countTokens: (part: string) => number;
  /** What the pack can tell, and a few things that it cannot: precisions are compared on the answers to these. */
  probes: readonly string[];
}> &
  Partial<Answering>;

/** A pack that answers questions: one a photo, which differ within one batch. */
type Answering = Readonly<{
  ask: (batch: PhotoBatch, questions: readonly string[], run: RunGraph) => Promise<readonly Answer[]>;
}>;

/** Calibration group and Platt parameters live in the pack: adapters return p before the user's own calibration. */
export type SeparableAdapter<E = unknown, H = unknown> = AnyKind &
  Readonly<{
    kind: 'separable';
    /** Graphs that statements go through, on the CPU of whoever reads them; empty where none are needed. */
    textGraphs: readonly string[];
    /** One evidence blob per photo, compact and self-describing (first byte: format version). */
    encodePhotos: (batch: PhotoBatch, run: RunGraph) => Promise<readonly Uint8Array[]>;
    openEvidence: (bytes: Uint8Array) => E;
    /** Hypotheses, one for each part in order; `run` knows the text graphs. Cached by the caller. */
    encodeStatements: (parts: readonly string[], run: RunGraph) => Promise<readonly H[]>;
    /** Hypotheses as bytes, so that those which a graph made are kept; absent where they cost next to nothing. */
    hypothesisBytes?: Readonly<{ pack: (hypothesis: H) => Uint8Array; open: (bytes: Uint8Array) => H }>;
    /** Words, as written, that no photo can be checked for. */
    notChecked: (hypothesis: H) => readonly string[];
    /** What photos are looked at for; absent where a text is compared as a whole. */
    looksFor?: (hypothesis: H) => readonly LookedFor[];
    /** Pure and fast: a hundred thousand photos are judged in one go. */
    judge: (evidence: E, hypothesis: H) => Judgement;
    explain: (evidence: E, hypothesis: H) => Explanation;
    /** How well a text fits a photo, for search: in [0, 1], higher is better; `searchFit` says what is enough. */
    score: (evidence: E, hypothesis: H) => number;
    searchFit: SearchFit;
  }>;

/** A joint adapter judges pairs: statements differ within one batch. */
type JointAdapter = AnyKind &
  Readonly<{
    kind: 'joint';
    judgePairs: (batch: PhotoBatch, pairs: readonly Pair[], run: RunGraph) => Promise<readonly Judgement[]>;
  }>;

// biome-ignore lint/suspicious/noExplicitAny: evidence and hypothesis types are private to each adapter
export type AnySeparableAdapter = SeparableAdapter<any, any>;
export type Adapter = AnySeparableAdapter | JointAdapter;

/** Reads one file of the pack folder, by its path relative to it. */
export type ReadPackFile = (path: string) => Uint8Array;

/** One token of a statement: as written in lower case, its lemma, and its universal part of speech (NOUN, VERB, ...). */
export type Token = Readonly<{ text: string; lemma: string; pos: string }>;
/** Splits a text into tagged tokens. Pure. */
export type Tagger = (text: string) => readonly Token[];

/** Token ids of a text, special ones included, as the pack's tokenizer.json says. */
export type Tokenizer = (text: string) => readonly number[];

/**
 * What an adapter is made from. Tagger and tokenizer are opened when they are first used: a session worker that encodes
 * photos never waits for them, and a pack without a tokenizer.json does well as long as its adapter asks for none.
 */
export type AdapterTools = Readonly<{
  read: ReadPackFile;
  manifest: PackManifest;
  tagger: Tagger;
  tokenizer: Tokenizer;
  /** The one of the manifest's sizes, in pixels, at which the views are made and the graphs run; it changes nothing else. */
  inputSize: number;
}>;

/** Every adapter module exports one of these; the registry picks by the manifest's `adapter`. */
export type AdapterFactory = (tools: AdapterTools) => Adapter;

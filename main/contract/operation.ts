/** What the engine may be asked to do with a photo. Plain types: they travel with the pixels and between threads. */

/** A text to judge against a photo; `premise` is what is known of the photo in words, for a model that reads both. */
export type Pair = Readonly<{ text: string; premise?: string }>;

export type Operation =
  /** Makes a separable pack's evidence; `parts` names which of it, none names what every photo gets. */
  | Readonly<{ kind: 'encode'; parts: readonly string[] }>
  /** Has a joint pack judge these pairs, in this order. */
  | Readonly<{ kind: 'judge'; pairs: readonly Pair[] }>
  | Readonly<{ kind: 'ask'; question: string }>;

/** There is nothing for a model to do: the photo is only decoded. */
export const asksNothing = (operation: Operation): boolean =>
  operation.kind === 'judge' && operation.pairs.length === 0;

/** An answer to a question with its probability, and what else it may be, likeliest first. */
export type Answer = Readonly<{
  answer: string;
  confidence: number;
  alternatives: readonly Readonly<{ text: string; confidence: number }>[];
}>;

/** One token of a statement: as written in lower case, its lemma, and its universal part of speech (NOUN, VERB, ...). */
export type Token = Readonly<{ text: string; lemma: string; pos: string }>;

/** Splits a text into tagged tokens. Pure; the composition root passes one in. */
export type Tagger = (text: string) => readonly Token[];

/** The little of wink-nlp that is used here, so that no import of it is needed. */
type WinkToken = Readonly<{ out: (as?: unknown) => unknown }>;
export type WinkLike = Readonly<{
  its: Readonly<{ pos: unknown; lemma: unknown }>;
  readDoc: (
    text: string,
  ) => Readonly<{ tokens: () => Readonly<{ each: (visit: (token: WinkToken) => void) => void }> }>;
}>;

/** A tagger from a wink-nlp instance: `winkTagger(winkNLP(model))`. */
export function winkTagger(nlp: WinkLike): Tagger {
  return (text) => {
    const tokens: Token[] = [];
    nlp
      .readDoc(text)
      .tokens()
      .each((token) => {
        tokens.push({
          text: String(token.out()).toLowerCase(),
          lemma: String(token.out(nlp.its.lemma)).toLowerCase(),
          pos: String(token.out(nlp.its.pos)),
        });
      });
    return tokens;
  };
}

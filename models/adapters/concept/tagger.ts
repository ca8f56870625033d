import type { Tagger, Token } from '../../../main/contract/seam.ts';

export type { Tagger, Token } from '../../../main/contract/seam.ts';

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

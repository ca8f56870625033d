/** The tagger that packs read English statements with: wink-nlp with its small web model (0.1 to 0.5 ms a statement). */
import { createRequire } from 'node:module';
import type WinkModel from 'wink-eng-lite-web-model';
import type WinkNlp from 'wink-nlp';
import { winkTagger } from '../../models/adapters/concept/tagger.ts';
import type { Tagger } from '../contract/seam.ts';

const load = createRequire(import.meta.url);

const openTagger = (): Tagger => {
  const winkNLP: typeof WinkNlp = load('wink-nlp');
  const model: typeof WinkModel = load('wink-eng-lite-web-model');
  return winkTagger(winkNLP(model));
};

/** Loads the model with the first text, which takes about 0.3 s. */
export const lazyTagger = (): Tagger => {
  let tagger: Tagger | undefined;
  return (text) => {
    tagger ??= openTagger();
    return tagger(text);
  };
};

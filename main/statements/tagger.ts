/** The tagger that packs read English statements with: wink-nlp with its small web model (0.1 to 0.5 ms a statement). */
import winkModel from 'wink-eng-lite-web-model';
import winkNLP from 'wink-nlp';
import { winkTagger } from '../../models/adapters/concept/tagger.ts';
import type { Tagger } from '../contract/seam.ts';

/** Loading the model takes about 0.3 s. */
export const openTagger = (): Tagger => winkTagger(winkNLP(winkModel));

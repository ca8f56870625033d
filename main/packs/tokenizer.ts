/** The tokenizer that a pack brings, in the files of the Hugging Face layout. */
import { createRequire } from 'node:module';
import type * as HuggingFace from '@huggingface/tokenizers';
import type { ReadPackFile, Tokenizer } from '../contract/seam.ts';

const load = createRequire(import.meta.url);

/** Reads tokenizer.json and tokenizer_config.json when the first text comes; that call throws where one is missing or malformed. */
export const lazyTokenizer = (read: ReadPackFile): Tokenizer => {
  const json = (path: string): object => JSON.parse(new TextDecoder().decode(read(path)));
  let opened: HuggingFace.Tokenizer | undefined;
  return (text) => {
    if (!opened) {
      const library: typeof HuggingFace = load('@huggingface/tokenizers');
      opened = new library.Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
    }
    return opened.encode(text).ids;
  };
};

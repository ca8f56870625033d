/** The words of the command line and of documents: English, whatever the window speaks. */
import { wordsIn } from './words.ts';

export const { errorText, reasonText, quarantineText, degradationText, watchFix, findingText, fixText } = wordsIn(
  'en',
  'cli',
);

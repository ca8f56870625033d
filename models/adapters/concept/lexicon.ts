/** The pack's word lists: what a word in a statement can be used for. The file says what each section means. */

type WordKind =
  | 'picture'
  | 'neutral'
  | 'spatial'
  | 'setting'
  | 'relation'
  | 'people'
  | 'persons'
  | 'pronoun'
  | 'nobody'
  | 'part'
  | 'exact'
  | 'visible'
  | 'vague'
  | 'large'
  | 'unseen';

export type Lexicon = Readonly<{
  is: (kind: WordKind, word: string) => boolean;
  words: (kind: WordKind) => readonly string[];
  /** The number a numeral stands for ("two", "12"), if it is one. */
  number: (word: string) => number | undefined;
  /** The least number of members of a collective ("group", "several"), if it is one. */
  collective: (word: string) => number | undefined;
}>;

export function openLexicon(text: string): Lexicon {
  const sections = new Map<string, Map<string, number>>();
  let section = new Map<string, number>();
  for (const raw of text.split('\n')) {
    const line = raw.replace(/#.*$/, '').trim();
    const title = /^\[(\w+)\]$/.exec(line)?.[1];
    if (title) {
      section = new Map();
      sections.set(title, section);
      continue;
    }
    for (const entry of line.split(/\s+/).filter((e) => e !== '')) {
      const [word = '', value] = entry.split('=');
      section.set(word.replace(/_/g, ' '), Number(value ?? 0));
    }
  }
  return {
    is: (kind, word) => sections.get(kind)?.has(word) ?? false,
    words: (kind) => [...(sections.get(kind)?.keys() ?? [])],
    number: (word) => (/^\d{1,3}$/.test(word) ? Number(word) : sections.get('number')?.get(word)),
    collective: (word) => sections.get('collective')?.get(word),
  };
}

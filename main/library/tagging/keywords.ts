/** How a tag reads as a keyword in a sidecar: below Vouch's own root, so that it can meet no keyword of the user's. */

/** What separates levels in lr:hierarchicalSubject, and what XML cannot carry (XML 1.0, "Characters"). */
const level = '|';
const forbidden = /[\p{Cc}\p{Cs}\ufffe\uffff]+/gu;

const clean = (text: string): string => text.replace(forbidden, ' ').replace(/\s+/g, ' ').trim();

/** `Vouch` and `dog` make `Vouch|dog`; a tag `animal|dog` goes two levels down. */
export const keywordOf = (prefix: string, tag: string): string =>
  [prefix, tag]
    .flatMap((text) => text.split(level))
    .map(clean)
    .filter((part) => part !== '')
    .join(level);

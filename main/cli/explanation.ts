/** An explanation in lines: each concept with its evidence, then the words that could not be checked. */
import type { Explanation } from '../contract/reason.ts';

export const explanationLines = ({ concepts, notChecked }: Explanation): readonly string[] => [
  ...concepts.map(({ words, concept, negated, p, evidence }) => {
    const name = words === concept ? words : `${words} (${concept})`;
    const found = evidence.map(({ name: what, score, source }) => `${what} ${score.toFixed(2)} (${source})`).join(', ');
    return `${negated ? 'no ' : ''}${name}: ${p === null ? 'cannot be seen' : p.toFixed(2)}${found ? `; ${found}` : ''}`;
  }),
  ...(notChecked.length > 0 ? [`not checked: ${notChecked.join(', ')}`] : []),
];

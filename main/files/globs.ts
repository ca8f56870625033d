/**
 * Globs as people write them. A folder's own name may hold what a glob means something else by ("Trip (2)", "[old]",
 * "a|b"), so a glob holds what it matches and also what it names letter by letter.
 */
import picomatch from 'picomatch';

export type Matches = (path: string) => boolean;

/** Names differ by case only where the file system says so. */
const nocase = process.platform === 'win32' || process.platform === 'darwin';
const options = { dot: true, nocase } as const;

/** macOS keeps decomposed letters that a keyboard types composed. */
const composed = (text: string): string => text.normalize('NFC');
const plainCase = (text: string): string => (nocase ? composed(text).toLowerCase() : composed(text));

/** With every sign but the wildcards * and ? taken as itself. */
const asLetters = (glob: string): string => glob.replace(/[\\()[\]{}|!+@]/g, '\\$&');

/** Over whole paths: "/photos/Trip (2)/*". A glob without a wildcard also holds all below the folder that it names. */
export const pathMatcher = (glob: string): Matches => {
  const written = composed(glob);
  const folder = written.replace(/\/+$/, '');
  const literal = plainCase(folder);
  const matches = picomatch([written, asLetters(written)], options);
  const below = /[*?]/.test(folder)
    ? () => false
    : (path: string) => path === literal || path.startsWith(`${literal}/`);
  return (path) => matches(composed(path)) || below(plainCase(path));
};

/** What a line names letter by letter: from the root where it has a slash, else at any depth. */
const literalMatcher = (line: string): Matches => {
  const name = plainCase(line.replace(/^\/+|\/+$/g, ''));
  const anchored = line.startsWith('/') || name.includes('/');
  return (path) => {
    const plain = plainCase(path);
    return anchored ? plain === name || plain.startsWith(`${name}/`) : plain.split('/').includes(name);
  };
};

/** Over paths below a root. A line holds what it names and all below that; one without a slash holds at any depth. */
export const linesMatcher = (lines: readonly string[]): Matches => {
  const globs = lines.flatMap((line) => {
    const anchored = composed(line).replace(/^\/+|\/+$/g, '');
    const from = line.startsWith('/') || anchored.includes('/') ? anchored : `**/${anchored}`;
    return [from, `${from}/**`];
  });
  if (globs.length === 0) return () => false;
  const matches = picomatch(globs, options);
  const literals = lines.map(literalMatcher);
  return (path) => matches(composed(path)) || literals.some((names) => names(path));
};

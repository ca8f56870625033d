/** Paths below a folder, as a range that an index can serve. */
import { sep } from 'node:path';

const next = String.fromCharCode(sep.charCodeAt(0) + 1);

/** Parameters for `path = ? OR (path >= ? AND path < ?)`: the path itself, and everything below it. */
export const pathRange = (folder: string): [string, string, string] => {
  const base = folder.length > 1 && folder.endsWith(sep) ? folder.slice(0, -1) : folder;
  return base === sep ? [base, sep, next] : [base, base + sep, base + next];
};

/** The labelled photos beside the project, where a machine has them; tests that need them say so when it has not. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '..', '..', 'shared');
const here = existsSync(resolve(folder, 'eval', 'photos'));

export const shared: string | undefined = here ? folder : undefined;

export const noteSkipped = (what: string): void => {
  if (!here) console.warn(`not run: ${what} needs the labelled photos, which are not beside the project`);
};

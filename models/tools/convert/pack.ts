/** Where the embedded pack lies, and where downloaded packages are kept between builds. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export const PACK = join(import.meta.dirname, '../../packs/concept-en');
/** Outside the project, so that no build leaves 50 MB in it. */
export const CACHE = process.env.VOUCH_SOURCES ?? join(homedir(), '.cache', 'vouch', 'sources');

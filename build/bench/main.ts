/** `npm run -s bench -- NAME [--json]`: runs one benchmark and prints its figures. */

import { join } from 'node:path';
import { arrival } from './arrival.ts';
import { batching } from './batching.ts';
import type { Bench } from './bench.ts';
import { memory } from './memory.ts';
import { peers } from './peers.ts';
import { pipeline } from './pipeline.ts';
import { prescreen } from './prescreen.ts';
import { rescore } from './rescore.ts';
import { responsive } from './responsive.ts';
import { search } from './search.ts';
import { store } from './store.ts';
import { ui } from './ui.ts';

const benches: Readonly<Record<string, Bench>> = {
  arrival,
  pipeline,
  peers,
  prescreen,
  rescore,
  responsive,
  batching,
  memory,
  store,
  search,
  ui,
};

const [name = '', ...flags] = process.argv.slice(2);
const bench = benches[name];
// The hosts inherit it.
process.env.VOUCH_ADAPTERS = join(import.meta.dirname, 'adapters.ts');
if (!bench) {
  console.error(`Give the name of a benchmark: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const result = await bench((line) => console.error(line));
console.log(flags.includes('--json') ? JSON.stringify(result) : JSON.stringify(result, null, 2));

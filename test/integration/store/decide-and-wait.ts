/** Decides again what is stored in a home, says so after each stretch, and waits a moment so that it can be killed. */

import { resumeDeciding } from '../../../main/review/policy.ts';
import { openStore } from '../../../main/store/core/client.ts';
import { sha } from './records.ts';

const result = await openStore({
  home: process.argv[2]!,
  mode: 'write',
  workerUrl: new URL('../../../main/store/sql/worker.ts', import.meta.url),
});
if (!result.ok) throw new Error(JSON.stringify(result.error));
await resumeDeciding(result.store, [{ sha256: sha('pack'), manifest: {} }], {
  onProgress: ({ done }) => {
    process.stdout.write(`${done}\n`);
    // The next stretch is asked for when this returns.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  },
});
await result.store.close();

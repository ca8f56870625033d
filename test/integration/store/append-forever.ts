/** Judges photos in a loop until it is killed; says how many batches are stored. */
import { openStore } from '../../../main/store/core/client.ts';
import { judged, judging, verdict } from './records.ts';

const result = await openStore({
  home: process.argv[2]!,
  mode: 'write',
  workerUrl: new URL('../../../main/store/sql/worker.ts', import.meta.url),
});
if (!result.ok) throw new Error(JSON.stringify(result.error));
const { store } = result;
const { statements } = await store.statements.upsertSet(
  { name: 'pets', statements: [{ text: 'a dog' }, { text: 'a cat' }, { text: 'a fox' }] },
  'concept-en',
);
const first = (await store.upkeep.figures()).photos;
for (let batch = 0; ; batch++) {
  const files = Array.from({ length: 8 }, (_, i) => {
    // Half of them known already: judged again, so that one verdict replaces another.
    const n = i < 4 ? Math.max(0, first - 1 - i) : first + batch * 4 + i;
    return judged(
      `/p/${n}.jpg`,
      `photo ${n}`,
      statements.map((statement) => verdict(statement, (['yes', 'no', 'maybe'] as const)[batch % 3]!)),
    );
  });
  await store.photos.recordJudged(judging(), files);
  const [item] = (await store.verdicts.list({}, { limit: 1 })).items;
  await store.reviews.add([{ verdict: item!.id }], { kind: 'override', label: 'no', reviewer: 'Ann', at: Date.now() });
  process.stdout.write(`${(await store.upkeep.figures()).verdicts}\n`);
}

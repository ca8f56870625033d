import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openField, photo, quick, until } from './field.ts';

it('row 7: a watched file that is empty at first is awaited, and judged when its bytes are there', async () => {
  const field = await openField();
  const folder = await field.folder();
  const { told, watch } = await field.watch(folder);
  const file = join(folder, 'coming.jpg');
  writeFileSync(file, '');
  // Long enough to settle while empty, far from all the tries that it is given.
  await pause(quick.settleMs * 3);
  appendFileSync(file, await photo(1));
  await until(() => told.judged.length > 0 && !watch.busy());
  expect(told.judged).toEqual([await field.store.photos.idAt(file)]);
  expect(told.quarantined).toEqual([]);
  expect(await field.store.quarantine.list(folder)).toEqual([]);
});

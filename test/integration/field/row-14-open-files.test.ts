import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { watchFix } from '../../../main/words/english.ts';
import { openField, place, until } from './field.ts';
import { limitNativeWatch, type NativeWatch } from './native-watch.ts';

let native: NativeWatch | undefined;
afterEach(() => native?.restore());

it.each(['EMFILE', 'EBADF'] as const)('row 14: %s ends in polling, and no photo is missed', async (code) => {
  const field = await openField();
  const folder = await field.folder();
  for (let i = 0; i < 6; i++) await place(join(folder, `f${i}`, '1.jpg'), i);
  native = limitNativeWatch(4, code);
  const { watch } = await field.watch(folder);
  await until(() => watch.state(folder)?.mode === 'polling');
  expect(watch.state(folder)).toEqual({ mode: 'polling', limit: 'files' });
  expect(watchFix(watch.state(folder)!)).toContain('sudo sysctl fs.inotify.max_user_instances=');
  await place(join(folder, 'f5', 'late.jpg'), 40);
  await until(async () => (await field.alive(folder)).length === 7);
});

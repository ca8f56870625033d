import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../main/cli/exit.ts';

it.each([
  ['folder_missing', 2],
  ['nothing_left', 2],
  ['set_invalid', 2],
  ['photo_unusable', 2],
  ['pack_unknown', 3],
  ['precision_unavailable', 3],
  ['input_size_unavailable', 3],
  ['some_failed', 4],
  ['store_locked', 5],
  ['store_corrupt', 5],
  ['network_path', 5],
  ['cancelled', 130],
  ['unexpected', 1],
  ['timed_out', 1],
] as const)('%s ends with %i', (code, exit) => {
  expect(exitCodeOf(code)).toBe(exit);
});

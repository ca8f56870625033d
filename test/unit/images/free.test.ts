import { expect, it } from 'vitest';
import { free } from '../../../main/images/host/free.ts';

it('gives the memory of whole buffers back, and may be told so twice', () => {
  const pixels = new Uint8Array(1024);
  free(pixels, pixels);
  expect(pixels.buffer.detached).toBe(true);
  free(pixels);
});

it('leaves alone what shares its memory with others', () => {
  const shared = new Uint8Array(16).fill(7);
  free(shared.subarray(4));
  expect(shared).toEqual(new Uint8Array(16).fill(7));
  const small = Buffer.from('from the pool');
  free(small);
  expect(small.toString()).toBe('from the pool');
});

import { expect, it } from 'vitest';
import { faultsFor, isPackaged } from '../../../main/hosts/faults.ts';

it.each([
  ['file:///opt/Vouch/resources/app/dist/main/inference-host.js', true],
  ['file:///Applications/Vouch.app/Contents/Resources/app/dist/main/inference-host.js', true],
  ['file:///C:/Program%20Files/Vouch/resources/app/dist/main/session-worker.js', true],
  ['file:///opt/Vouch/resources/app.asar.unpacked/dist/main/image-host.js', true],
  ['file:///home/jo/vouch/dist/main/inference-host.js', false],
  ['file:///home/jo/resources/vouch/main/inference/faults.ts', false],
])('faults on demand do nothing in a package: %s', (url, packaged) => {
  expect(isPackaged(url)).toBe(packaged);
});

it('strike only their own host, the photo that was counted or named, and once where that is asked', () => {
  const text = JSON.stringify([
    { host: 'inference', what: 'crash', nth: 2 },
    { host: 'inference', what: 'slow', match: 'poison', ms: 5 },
    { host: 'image', what: 'hang', first: 10 },
  ]);
  const at = faultsFor('inference', text);
  expect(['a', 'b', 'c', 'poison.jpg'].map((key) => at(key)?.what)).toEqual([undefined, 'crash', undefined, 'slow']);
  expect(faultsFor('inference', '')('poison')).toBeUndefined();
});

it('refuses a fault that it does not know', () => {
  expect(() => faultsFor('inference', JSON.stringify([{ host: 'inference', what: 'explode' }]))).toThrow();
});

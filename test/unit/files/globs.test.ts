import { describe, expect, it } from 'vitest';
import { pathMatcher } from '../../../main/files/globs.ts';

describe('a glob over whole paths', () => {
  it.each([
    ['/photos/Trip (2)/*', '/photos/Trip (2)/a.jpg', true],
    ['/photos/Trip (2)', '/photos/Trip (2)/deep/a.jpg', true],
    ['/photos/Trip (2)/', '/photos/Trip (2)/a.jpg', true],
    ['/photos/Trip (2)', '/photos/Trip (2) more/a.jpg', false],
    ['/photos/[2024] x/**', '/photos/[2024] x/y/a.jpg', true],
    ['**/{old}/*.jpg', '/p/{old}/a.jpg', true],
    ['**/+(x)/*', '/p/+(x)/a.jpg', true],
    ['**/*.{jpg,png}', '/p/a.png', true],
    ['**/B/**', '/p/A/a.jpg', false],
    ['/p/a?c.jpg', '/p/abc.jpg', true],
    ['/p/Été/*', `/p/${'Été'.normalize('NFD')}/a.jpg`, true],
    ['/photos/a.jpg', '/photos/a.jpg', true],
  ])('%s and %s: %s', (glob, path, matches) => expect(pathMatcher(glob)(path)).toBe(matches));
});

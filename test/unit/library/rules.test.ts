import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultFolderSettings } from '../../../main/contract/folder.ts';
import { rulesOf } from '../../../main/library/rules.ts';

const root = '/photos';
const rules = (settings: Partial<typeof defaultFolderSettings>) =>
  rulesOf(root, { ...defaultFolderSettings, ...settings });
const takes = (settings: Partial<typeof defaultFolderSettings>, path: string) =>
  rules(settings).takes(`${root}/${path}`);

describe('the rules of a folder', () => {
  it.each([
    '.git/a.jpg',
    'a/@eaDir/b.jpg',
    '$RECYCLE.BIN/a.jpg',
    'a/.hidden.jpg',
    'Thumbs.db',
    'x/.DS_Store',
    'x/._a.jpg',
  ])('leave out %s', (path) => {
    expect(takes({}, path)).toBe(false);
  });
  it.each([
    ['Private', 'Private/a.jpg'],
    ['Private', 'x/y/Private/z/a.jpg'],
    ['*.tif', 'x/y/a.tif'],
    ['2024/raw', '2024/raw/deep/a.jpg'],
    ['/2024', '2024/a.jpg'],
    ['exports/**/*.png', 'exports/x/y/a.png'],
  ])('%s holds %s', (glob, path) => {
    expect(takes({ exclude: [glob] }, path)).toBe(false);
    expect(takes({ include: [glob] }, path)).toBe(true);
  });
  it.each([
    ['Private', 'Privateer/a.jpg'],
    ['2024/raw', 'x/2024/raw/a.jpg'],
    ['/2024', 'x/2024/a.jpg'],
    ['*.tif', 'a.tiff'],
  ])('%s does not hold %s', (glob, path) => {
    expect(takes({ exclude: [glob] }, path)).toBe(true);
    expect(takes({ include: [glob] }, path)).toBe(false);
  });
  it('never look into a folder that is left out, and always into the root', () => {
    const { enters } = rules({ exclude: ['raw'] });
    expect(enters(root)).toBe(true);
    expect(enters(`${root}/raw`)).toBe(false);
    expect(enters(`${root}/kept`)).toBe(true);
  });
  it('leave out what both globs hold', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(name, name, (folder, file) => {
        const path = `${folder}/${file}.jpg`;
        expect(takes({ include: [folder], exclude: [`${file}.*`] }, path)).toBe(false);
        expect(takes({ include: [folder] }, path)).toBe(true);
      }),
    );
  });
});

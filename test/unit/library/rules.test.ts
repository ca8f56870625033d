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
    'Trip (2)',
    'Private (2024)',
    '[old] scans',
    '+(x)',
    '{x,y}',
    'x|y',
    '!important',
    '@home',
    'What? Where?',
    'a*b',
    'Été'.normalize('NFD'),
  ])('hold the folder that is really called %s', (name) => {
    for (const line of [name, name.normalize('NFC'), name.normalize('NFD')]) {
      expect(takes({ exclude: [line] }, `${name}/a.jpg`)).toBe(false);
      expect(takes({ exclude: [line] }, `x/${name}/y/a.jpg`)).toBe(false);
      expect(takes({ include: [line] }, `${name}/a.jpg`)).toBe(true);
      expect(rules({ exclude: [line] }).enters(`${root}/${name}`)).toBe(false);
      expect(takes({ exclude: [`2024/${line}`] }, `2024/${name}/a.jpg`)).toBe(false);
    }
  });
  it.each([
    'My Previews.lrdata/a/ab/ab12-345_1024',
    'Lightroom/Smart Previews.lrdata/x/y.jpg',
    'Catalog.lrcat-data/1/2.jpg',
    'Shoot/CaptureOne/Cache/Thumbnails/a.jpg',
    'Photos Library.photoslibrary/resources/derivatives/F/F8_1_105_c.jpeg',
    'Photos Library.photoslibrary/database/a.jpg',
    'Photos Library.photoslibrary/a.jpg',
    'iPhoto Library.photolibrary/Previews/2012/a.jpg',
    'Old.aplibrary/Thumbnails/a.jpg',
    'Lightroom Library.lrlibrary/9f/previews/a.jpg',
  ])('leave out a copy in another program’s package: %s', (path) => {
    expect(takes({}, path)).toBe(false);
  });
  it.each([
    'Photos Library.photoslibrary/originals/F/F88C.jpeg',
    'iPhoto Library.photolibrary/Masters/2012/a.jpg',
    'Lightroom Library.lrlibrary/9f/originals/2020/a.jpg',
    'previews/a.jpg',
    'originals/a.jpg',
  ])('take the person’s own photo %s', (path) => {
    expect(takes({}, path)).toBe(true);
    const { enters } = rules({});
    const folders = path.split('/').slice(0, -1);
    for (const [i] of folders.entries()) expect(enters(`${root}/${folders.slice(0, i + 1).join('/')}`)).toBe(true);
  });
  it('hold for a root inside a package as for its photos', () => {
    const own = (at: string) => rulesOf(at, defaultFolderSettings);
    expect(own('/p/Photos Library.photoslibrary').takes('/p/Photos Library.photoslibrary/scopes/a.jpg')).toBe(false);
    expect(own('/p/Photos Library.photoslibrary').takes('/p/Photos Library.photoslibrary/originals/a.jpg')).toBe(true);
    expect(own('/p/X.photoslibrary/originals').takes('/p/X.photoslibrary/originals/0/a.jpg')).toBe(true);
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

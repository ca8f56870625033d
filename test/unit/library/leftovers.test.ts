import { expect, it } from 'vitest';
import { isLeftover } from '../../../main/library/leftovers.ts';

it.each([
  'IMG_7.jpg_original',
  'IMG_7.JPG_ORIGINAL',
  'IMG_7.jpg~',
  'IMG_7.jpg.~2~',
  '#IMG_7.jpg#',
  'IMG_7.jpg.bak',
  'IMG_7.jpg.old',
  'IMG_7.jpg.orig',
  'IMG_7.tmp',
  'IMG_7.jpg.part',
  'IMG_7.jpg.partial',
  'Unconfirmed 815.crdownload',
  'IMG_7.jpg.opdownload',
  'IMG_7.jpg.download',
  'IMG_7.jpg.!ut',
  'IMG_7.jpg.!qB',
  'IMG_7.jpg.aria2',
  'IMG_7.jpg.filepart',
  '~syncthing~IMG_7.jpg.tmp',
  '~syncthing~IMG_7.jpg',
  'IMG_7.jpg_exiftool_tmp',
])('%s is left by another program', (name) => expect(isLeftover(`/p/${name}`)).toBe(true));

it.each([
  'IMG_7.jpg',
  'IMG_7',
  'part.jpg',
  'old',
  'backup.png',
  'tmp',
  '~me.jpg',
  'IMG.7.original.jpg',
  '007_original.jpg',
])('%s is the person’s', (name) => expect(isLeftover(`/p/${name}`)).toBe(false));

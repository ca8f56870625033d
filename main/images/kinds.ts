/** Which files are taken for pictures, and what tells that one was changed: for those who list files, without decoding any. */
import type { BigIntStats } from 'node:fs';

/** Extensions that people expect to be photos, whether or not Vouch can decode them; camera makers' own last. */
export const imageExtensions: ReadonlySet<string> = new Set(
  (
    'jpg jpeg jpe jif jfif jfi png apng webp gif tif tiff avif avifs heic heics heif heifs hif bmp dib ' +
    'svg jp2 j2k jpf jpx jxl jxr ico psd ' +
    '3fr arw cr2 cr3 crw dcr dng erf fff gpr iiq k25 kdc mef mos mrw nef nrw orf pef raf raw rw2 rwl sr2 srf srw x3f'
  ).split(' '),
);

/** Formats that hold pictures but that Vouch cannot decode. */
const pictures = new Set('bpg flif heics icns ico j2c jls jp2 jpm jpx jxl jxr ktx mj2 psd xcf'.split(' '));

/** What a file of that type shows is a picture; a construction drawing (DWG) only goes by such a name. */
export const isPicture = ({ ext, mime }: Readonly<{ ext: string; mime: string }>): boolean =>
  ext !== 'dwg' && (mime.startsWith('image/') || pictures.has(ext));

/** What stands in a name for bytes that are no UTF-8: a path that holds it leads nowhere. */
export const isGarbled = (path: string): boolean => path.includes('\ufffd');

/**
 * What tells, without reading it, that a file was changed. The time of its last change of any kind is part of `inode`:
 * programs set the time of the last writing back, and a new file may get an old one's number.
 */
export const stampOf = ({ mtimeNs, ctimeNs, ino }: BigIntStats): Readonly<{ mtimeMs: number; inode: string }> => ({
  mtimeMs: Number(mtimeNs / 1_000_000n),
  inode: `${ino}@${ctimeNs / 1_000_000n}`,
});

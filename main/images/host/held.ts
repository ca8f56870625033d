/** Bytes of identified photos that wait for `prepare`, within a bound: beyond it they are read again when needed. */
import type { FileIdentity } from '../../contract/photo.ts';
import { PhotoError } from './failure.ts';
import { hashFile } from './identify.ts';
import { readPhotoFile } from './read-file.ts';

export type Held = Readonly<{
  path: string;
  identity: FileIdentity;
  readMs: number;
  bytes: Uint8Array | null;
}>;

export type HeldPhotos = Readonly<{
  keep: (job: number, photo: Omit<Held, 'bytes'>, bytes: Uint8Array) => void;
  /** Takes a job out; undefined if it is not held. */
  take: (job: number) => Held | undefined;
}>;

export const heldPhotos = (maxBytes: number): HeldPhotos => {
  const photos = new Map<number, Held>();
  let held = 0;
  const take = (job: number): Held | undefined => {
    const photo = photos.get(job);
    if (photos.delete(job)) held -= photo?.bytes?.length ?? 0;
    return photo;
  };
  return {
    keep: (job, photo, bytes) => {
      take(job);
      const fits = held + bytes.length <= maxBytes;
      if (fits) held += bytes.length;
      photos.set(job, { ...photo, bytes: fits ? bytes : null });
    },
    take,
  };
};

/** The bytes that were identified; throws `still_changing` where the file has changed since. */
export const bytesOf = async ({ bytes, path, identity }: Held, maxBytes: number): Promise<Uint8Array> => {
  if (bytes) return bytes;
  const again = readPhotoFile(path, maxBytes).bytes;
  if (hashFile(again) !== identity.fileHash) throw new PhotoError({ code: 'still_changing', params: {} }, true);
  return again;
};

/**
 * WebP files that were cut off. Their decoder refuses what is shorter than it says; made as long as it says, the part that
 * is there decodes. Layout: RFC 9649.
 */

const headBytes = 12;
const pictures = new Set(['VP8 ', 'VP8L', 'ANMF']);
/** What a header claims beyond this is no photo's length. */
const maxBytes = 64 * 1024 * 1024;

/** The bytes to decode, and whether they are all that the file's header says there are. */
export const completedWebp = (bytes: Uint8Array): Readonly<{ bytes: Uint8Array; whole: boolean }> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || view.getUint32(4, true) + 8 <= bytes.length) return { bytes, whole: true };
  let hasPicture = false;
  let end = headBytes;
  while (end + 8 <= bytes.length) {
    const size = view.getUint32(end + 4, true);
    const next = end + 8 + size + (size & 1);
    const isPicture = pictures.has(String.fromCharCode(...bytes.subarray(end, end + 4)));
    // Of an animation the frames that are there are enough.
    if (next > bytes.length && (hasPicture || !isPicture)) break;
    hasPicture ||= isPicture;
    end = next;
    if (next > bytes.length) break;
  }
  if (!hasPicture || end > maxBytes) return { bytes, whole: false };
  const completed = new Uint8Array(end);
  completed.set(bytes.subarray(0, end));
  new DataView(completed.buffer).setUint32(4, end - 8, true);
  return { bytes: completed, whole: false };
};

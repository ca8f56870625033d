/**
 * Gives the memory of large buffers back now: V8 sees a small handle on each and lets many of them pile up before it
 * collects any. Whoever calls is the last to use them. A buffer that is part of a larger one is left alone.
 */
export const free = (...buffers: readonly Uint8Array[]): void => {
  for (const { buffer, byteLength } of buffers) {
    const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
    if (isWhole && !buffer.detached) buffer.transfer(0);
  }
};

/**
 * Frames on the local socket between image hosts and the inference host: two 32-bit little-endian lengths (header,
 * payload), a JSON header, a binary payload.
 */
import type { Duplex } from 'node:stream';

const prefixBytes = 8;
/** A joint pack is asked every statement of a set at once: a thousand of two thousand characters. */
const maxHeaderBytes = 16 * 1024 * 1024;
const maxPayloadBytes = 64 * 1024 * 1024;

const encodeFrame = (header: unknown, payload: readonly Uint8Array[]): readonly Uint8Array[] => {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(json.length, 0);
  prefix.writeUInt32LE(
    payload.reduce((sum, part) => sum + part.byteLength, 0),
    4,
  );
  return [Buffer.concat([prefix, json]), ...payload];
};

/** Writes a frame; resolves when the stream wants more (back-pressure), rejects when it has ended. */
export const writeFrame = (stream: Duplex, header: unknown, payload: readonly Uint8Array[]): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.cork();
    const chunks = encodeFrame(header, payload);
    chunks.forEach((chunk, i) => {
      stream.write(chunk, i === chunks.length - 1 ? (error) => (error ? reject(error) : resolve()) : undefined);
    });
    stream.uncork();
  });

export type Frame = Readonly<{ header: unknown; payload: Uint8Array }>;

/** Calls back once per whole frame; throws on lengths beyond the limits, so that the caller can drop the peer. */
export const frameReader = (onFrame: (frame: Frame) => void): ((chunk: Buffer) => void) => {
  const prefix = Buffer.alloc(prefixBytes);
  let filled = 0;
  let body: Buffer | undefined;
  let headerBytes = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length || (body && filled === body.length)) {
      if (!body) {
        const n = chunk.copy(prefix, filled, at, at + prefixBytes - filled);
        filled += n;
        at += n;
        if (filled < prefixBytes) return;
        headerBytes = prefix.readUInt32LE(0);
        const payloadBytes = prefix.readUInt32LE(4);
        if (headerBytes > maxHeaderBytes || payloadBytes > maxPayloadBytes) throw new RangeError('frame too large');
        body = Buffer.allocUnsafeSlow(headerBytes + payloadBytes);
        filled = 0;
      }
      const n = chunk.copy(body, filled, at);
      filled += n;
      at += n;
      if (filled < body.length) return;
      const whole = body;
      body = undefined;
      filled = 0;
      onFrame({
        header: JSON.parse(whole.toString('utf8', 0, headerBytes)),
        payload: new Uint8Array(whole.buffer, headerBytes, whole.length - headerBytes),
      });
    }
  };
};

/** The structured log: JSON Lines in VOUCH_HOME/logs, rotated by size, kept for as long as five files last. */
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Home } from '../home.ts';

type LogFields = Readonly<Record<string, unknown>>;
export type Log = Readonly<{
  info: (event: string, fields?: LogFields) => void;
  warn: (event: string, fields?: LogFields) => void;
  error: (event: string, fields?: LogFields) => void;
  close: () => Promise<void>;
}>;

export const openLog = (home: Home): Log => {
  const stream = createStream('vouch.jsonl', { path: home.logs, size: '10M', maxFiles: 5 });
  // A log that cannot be written (a full disk) must not end the work that it tells of.
  stream.on('error', () => undefined);
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    info: (event, fields) => logger.info({ event, ...fields }),
    warn: (event, fields) => logger.warn({ event, ...fields }),
    error: (event, fields) => logger.error({ event, ...fields }),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
};

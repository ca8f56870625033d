/** The structured log: JSON Lines in VOUCH_HOME/logs, rotated by size, kept for as long as five files last. */
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import { eventNames, type TelemetryEvent, telemetryEvents } from '../contract/telemetry.ts';
import { type Home, logName } from '../home.ts';
import type { Telemetry } from './telemetry.ts';

type Log = Readonly<{ close: () => Promise<void> }>;

const logged = eventNames.filter((event) => telemetryEvents[event].level !== null);

/** Writes every event that has a level, a line each. */
export const openLog = (home: Home, { subscribe }: Telemetry): Log => {
  const stream = createStream(logName, { path: home.logs, size: '10M', maxFiles: 5 });
  // A log that cannot be written (a full disk) must not end the work that it tells of.
  stream.on('error', () => undefined);
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  const unsubscribe = subscribe(logged, ({ event, fields }: TelemetryEvent) => {
    const { level } = telemetryEvents[event];
    if (level !== null) logger[level]({ event, ...fields });
  });
  return {
    close: () => {
      unsubscribe();
      return new Promise((resolve) => stream.end(() => resolve()));
    },
  };
};

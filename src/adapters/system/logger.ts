/** Structured logs as lines of JSON on standard output, through pino. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './read-config.ts';

/** Lines are written in batches, because each write takes a thread: some fifty at once, and what there is ten times a second. */
const LOG_WRITES = { minLength: 16_000, periodicFlush: 100, sync: false };

/** Tells the lines of several instances apart: the machine or container, and the process in it. */
const INSTANCE = `${hostname()}:${process.pid}`;

let standardOutput: DestinationStream | undefined;

/** A logger that drops whatever is below `level`. */
export function makeLogger(level: Config['logLevel']): Logger {
  // One for the process: it flushes what is left when the process ends.
  standardOutput ??= pino.destination(LOG_WRITES);
  return pino(
    { level, base: { instance: INSTANCE }, timestamp: pino.stdTimeFunctions.isoTime },
    standardOutput,
  );
}

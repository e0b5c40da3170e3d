/** Structured logs as lines of JSON on standard output, through pino. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { BATCH_LENGTH, batchLines } from './line-batches.ts';
import type { Config } from './read-config.ts';

/** Tells the lines of several instances apart: the machine or container, and the process in it. */
const INSTANCE = `${hostname()}:${process.pid}`;

let standardOutput: DestinationStream | undefined;

/** A logger that drops whatever is below `level`. */
export function makeLogger(level: Config['logLevel']): Logger {
  // One for the process: it writes what is left when the process ends.
  standardOutput ??= openStandardOutput();
  return pino(
    { level, base: { instance: INSTANCE }, timestamp: pino.stdTimeFunctions.isoTime },
    standardOutput,
  );
}

function openStandardOutput(): DestinationStream {
  const output = pino.destination({ minLength: BATCH_LENGTH, sync: false });
  const batches = batchLines(output);
  // Before the output writes all that it has.
  process.prependListener('beforeExit', batches.handOver);
  process.prependListener('exit', batches.handOver);
  return batches;
}

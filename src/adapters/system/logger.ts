/** Structured logs as lines of JSON on standard output, through pino. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { BATCH_LENGTH, batchLines } from './line-batches.ts';
import type { Config } from './read-config.ts';

/** Tells the lines of several instances apart: the machine or container, and the process in it. */
const INSTANCE = `${hostname()}:${process.pid}`;

/** What waits while standard output takes nothing, in bytes; lines beyond that are dropped. */
const MOST_WAITING = 8_388_608;

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
  const output = pino.destination({ minLength: BATCH_LENGTH, maxLength: MOST_WAITING, sync: false });
  const batches = batchLines(output);
  let isFailing = false;
  // A full disk ends no service: what waits is tried again with the next lines.
  output.on('error', (error: Error) => {
    if (!isFailing) tell(`the log cannot be written: ${error.message}`);
    isFailing = true;
  });
  output.on('write', () => {
    if (isFailing) tell('the log is written again');
    isFailing = false;
  });
  // Before the output writes all that it has.
  process.prependListener('beforeExit', batches.handOver);
  process.prependListener('exit', () => {
    batches.handOver();
    // It would try for ever.
    if (isFailing) output.destroy();
  });
  return batches;
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

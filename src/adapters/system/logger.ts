/** JSON log lines on standard output, through pino. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './read-config.ts';

/** Distinguishes instances: machine or container, and process. */
const INSTANCE = `${hostname()}:${process.pid}`;

/** Some fifty lines, in bytes. Lines are joined because each write uses a thread. */
const BATCH_BYTES = 16_000;

/** The longest that a line waits for others, in milliseconds. */
const FLUSH_EVERY_MS = 100;

/** Bytes that wait while standard output is blocked; further lines are dropped. */
const MOST_WAITING_BYTES = 8_388_608;

let standardOutput: DestinationStream | undefined;

export function makeLogger(level: Config['logLevel']): Logger {
  // One per process: it writes the rest when the process ends.
  standardOutput ??= openStandardOutput();
  return pino(
    { level, base: { instance: INSTANCE }, timestamp: pino.stdTimeFunctions.isoTime },
    standardOutput,
  );
}

function openStandardOutput(): DestinationStream {
  const output = pino.destination({
    minLength: BATCH_BYTES,
    maxLength: MOST_WAITING_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    sync: false,
  });
  let isFailing = false;
  // A full disk does not end the service; waiting lines are retried with the next ones.
  output.on('error', (error: Error) => {
    if (!isFailing) tell(`the log cannot be written: ${error.message}`);
    isFailing = true;
  });
  output.on('write', () => {
    if (isFailing) tell('the log is written again');
    isFailing = false;
  });
  // Must run before the output's own handler, which would retry for ever.
  process.prependListener('exit', () => {
    if (isFailing) output.destroy();
  });
  return output;
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

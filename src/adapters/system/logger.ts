/** JSON log lines on standard output, through pino. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './read-config.ts';

// Joins log lines before writing, because each write uses a thread.

export interface BatchOutput {
  /** May keep the text until a flush. */
  write(text: string): unknown;
  flush(): void;
}

export interface LineBatches {
  write(line: string): void;
  /** Passes waiting lines to the output. */
  handOver(): void;
}

/** Some fifty lines, in UTF-16 code units. */
export const BATCH_LENGTH = 16_000;

/** Milliseconds. */
const FLUSH_EVERY_MS = 100;

/**
 * Passes lines on in batches, at least ten times a second. The output would join them as well, but scans its whole
 * buffer for each line. Does not keep the process alive.
 */
export function batchLines(output: BatchOutput): LineBatches {
  let lines: string[] = [];
  let length = 0;
  const handOver = () => {
    if (lines.length === 0) return;
    const batch = lines.join('');
    lines = [];
    length = 0;
    output.write(batch);
  };
  const flush = () => {
    if (lines.length === 0) return;
    handOver();
    output.flush();
  };
  setInterval(flush, FLUSH_EVERY_MS).unref();
  return {
    write: (line) => {
      lines.push(line);
      length += line.length;
      if (length >= BATCH_LENGTH) handOver();
    },
    handOver,
  };
}

/** Distinguishes instances: machine or container, and process. */
const INSTANCE = `${hostname()}:${process.pid}`;

/** Bytes that wait while standard output is blocked; further lines are dropped. */
const MOST_WAITING = 8_388_608;

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
  const output = pino.destination({ minLength: BATCH_LENGTH, maxLength: MOST_WAITING, sync: false });
  const batches = batchLines(output);
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
  // Must run before the output's own handler.
  process.prependListener('beforeExit', batches.handOver);
  process.prependListener('exit', () => {
    batches.handOver();
    // It would retry for ever.
    if (isFailing) output.destroy();
  });
  return batches;
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

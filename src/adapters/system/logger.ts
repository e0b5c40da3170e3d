/** JSON log lines through pino: the service's on standard output, and those about its start and end on standard error. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './read-config.ts';

/** Distinguishes instances: machine or container, and process. */
export const INSTANCE = `${hostname()}:${process.pid}`;

/** Some fifty lines, in bytes. Lines are joined because each write uses a thread. */
const BATCH_BYTES = 16_000;

/** The longest that a line waits for others, in milliseconds. */
const FLUSH_EVERY_MS = 100;

/** Bytes that wait while standard output is blocked; further lines are dropped. */
const MOST_WAITING_BYTES = 8_388_608;

const LINES = { base: { instance: INSTANCE }, timestamp: pino.stdTimeFunctions.isoTime };

let standardOutput: DestinationStream | undefined;

/** @param facts are added to each line, such as the trace that it belongs to */
export function makeLogger(
  level: Config['logLevel'],
  facts: () => object | undefined = () => undefined,
): Logger {
  // One per process: it writes the rest when the process ends.
  standardOutput ??= openStandardOutput();
  return pino({ ...LINES, level, mixin: () => facts() ?? {} }, standardOutput);
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

let standardError: Logger | undefined;

/** Writes at once, because the process may be about to end. `LOG_LEVEL` does not apply. */
function toStandardError(): Logger {
  if (standardError !== undefined) return standardError;
  const output = pino.destination({ dest: 2, sync: true });
  // There is no place left for a message.
  output.on('error', () => undefined);
  standardError = pino(LINES, output);
  return standardError;
}

function tell(message: string): void {
  toStandardError().error(message);
}

/** For a service without a terminal. From now on, warnings of Node and errors that nobody handles are lines, too. */
export function announceInLog() {
  const log = toStandardError();
  const announce = (level: 'info' | 'warn' | 'fatal', message: string, thrown?: unknown) => {
    log[level]({ ...(thrown instanceof Error && { stack: thrown.stack }) }, message);
  };
  process
    .removeAllListeners('warning')
    .on('warning', (warning) => announce('warn', String(warning), warning));
  process.on('uncaughtException', (error) => {
    announce('fatal', `fleetsift failed: ${error instanceof Error ? error.message : String(error)}`, error);
    process.exit(1);
  });
  return announce;
}

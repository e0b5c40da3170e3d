/** The log goes to standard output. Messages about the service's start and end go to standard error. */
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { visible } from '#domain/text/visible-text.ts';
import type { Config } from './read-config.ts';

export const INSTANCE = `${hostname()}:${process.pid}`;

/** Some fifty lines are written at once, because each write uses a thread. */
const BATCH_BYTES = 16_000;

const FLUSH_EVERY_MS = 100;

/** When this much waits for a blocked standard output, further lines are dropped. */
const MOST_WAITING_BYTES = 8_388_608;

const LINES = {
  base: { instance: INSTANCE },
  timestamp: pino.stdTimeFunctions.isoTime,
  // Lines quote strangers and may reach a terminal, which obeys more than the characters that JSON must escape.
  hooks: { streamWrite: visible },
};

let standardOutput: DestinationStream | undefined;

export function makeLogger(
  level: Config['logLevel'],
  facts: () => object | undefined = () => undefined,
): Logger {
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
  // A full disk must not end the service.
  output.on('error', (error: Error) => {
    if (!isFailing) tell(`the log cannot be written: ${error.message}`);
    isFailing = true;
  });
  output.on('write', () => {
    if (isFailing) tell('the log is written again');
    isFailing = false;
  });
  // Must run before the output's own handler, which would retry forever.
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
  // A failure of standard error cannot be reported anywhere.
  output.on('error', () => undefined);
  standardError = pino(LINES, output);
  return standardError;
}

function tell(message: string): void {
  toStandardError().error(message);
}

/** Logs to standard error, including warnings of Node and unhandled errors. */
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

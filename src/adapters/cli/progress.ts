/** Progress on long work, on standard error: a line that moves on a terminal, and now and then a line elsewhere. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

/** How often a log that is not a terminal gets a line, in milliseconds. */
const LOG_EVERY_MS = 5_000;

/** Shows how many of something have been done; the end is not known. */
export function startProgress(title: string, unit: string): Progress {
  if (!process.stderr.isTTY) return startPlainProgress(title, unit);
  const bar = new SingleBar({
    format: `${title} … {value} ${unit}, {duration_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(0, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}

function startPlainProgress(title: string, unit: string): Progress {
  let loggedAt = performance.now();
  return {
    update: (done) => {
      if (performance.now() - loggedAt < LOG_EVERY_MS) return;
      loggedAt = performance.now();
      process.stderr.write(`${title} … ${done.toLocaleString('en')} ${unit}\n`);
    },
    stop: () => undefined,
  };
}

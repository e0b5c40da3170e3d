/** Progress on standard error: a live line on a terminal, otherwise a line every few seconds. */

export interface Progress {
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

const LOG_EVERY_MS = 5_000;

/** The total is not known. */
export async function startProgress(title: string, unit: string): Promise<Progress> {
  if (!process.stderr.isTTY) return startPlainProgress(title, unit);
  const { SingleBar } = await import('cli-progress');
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

/** For the person at the terminal. Standard output is for logs and results. */
export function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

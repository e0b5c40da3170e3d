/** Progress on standard error; results go to standard output. */

/** How often long work reports progress, in milliseconds. */
const TELL_EVERY_MS = 5_000;

/** Prints one line. */
export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Reports now and then how many records have been processed. */
export function startProgress(title: string): (done: number) => void {
  tell(`${title} ...`);
  let reportedAt = performance.now();
  return (done) => {
    if (performance.now() - reportedAt < TELL_EVERY_MS) return;
    reportedAt = performance.now();
    tell(`${title}: ${done.toLocaleString('en')} records`);
  };
}

/** Progress on standard error; results go to standard output. */

const TELL_EVERY_MS = 5_000;

export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Reports the number of processed records from time to time. */
export function startProgress(title: string): (done: number) => void {
  tell(`${title} ...`);
  let reportedAt = performance.now();
  return (done) => {
    if (performance.now() - reportedAt < TELL_EVERY_MS) return;
    reportedAt = performance.now();
    tell(`${title}: ${done.toLocaleString('en')} records`);
  };
}

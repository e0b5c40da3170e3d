/** What goes on, on standard error; results go to standard output. */

/** How often long work is heard of, in milliseconds. */
const TELL_EVERY_MS = 5_000;

/** One line. */
export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Says now and then how many of something have been done. */
export function startProgress(title: string): (done: number) => void {
  tell(`${title} ...`);
  let toldAt = performance.now();
  return (done) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell(`${title}: ${done.toLocaleString('en')} records`);
  };
}

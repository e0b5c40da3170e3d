/** Writes a line for the person at the terminal to standard error; standard output is for logs and results. */
export function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

/**
 * Where an error came from, for logs: its stack without its message, in which there may be whatever somebody typed
 * or a row of the database. Empty where there is no stack.
 */
export function traceOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const start = stack.indexOf('\n    at ');
  return start === -1 ? '' : stack.slice(start);
}

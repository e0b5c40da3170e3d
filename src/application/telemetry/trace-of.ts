/**
 * An error's stack trace without its message, for logs: the message may contain user input or database rows. Empty if
 * there is no stack.
 */
export function traceOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const start = stack.indexOf('\n    at ');
  return start === -1 ? '' : stack.slice(start);
}

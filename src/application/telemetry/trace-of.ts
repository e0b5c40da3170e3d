/** A stack trace without its message, which may contain user input or rows. Empty without a stack. */
export function traceOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const start = stack.indexOf('\n    at ');
  return start === -1 ? '' : stack.slice(start);
}

/** Describes errors for logs, without user input or database rows. */

/** The stack without the message, which may contain user input or rows. Empty if there is no stack. */
export function traceOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const start = stack.indexOf('\n    at ');
  return start === -1 ? '' : stack.slice(start);
}

/**
 * PostgreSQL's primary message, without the statement and without anything that may come from a request. Null
 * for other errors.
 */
export function databaseWords(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  const isOfNames = NAMES_THINGS.has(String(error.code).slice(0, 2));
  const words = isOfNames ? error.message : error.message.replace(/"[\s\S]*"/, '"…"');
  // Drops the detail that the mapper appends, because it quotes rows.
  return words.split('\n', 1)[0] ?? null;
}

/** SQLSTATE classes whose messages quote names of roles, databases and constraints, never values. */
const NAMES_THINGS: ReadonlySet<string> = new Set(['08', '23', '28', '3D', '40', '53', '55', '57', '58']);

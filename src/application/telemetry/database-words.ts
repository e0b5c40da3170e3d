/**
 * What PostgreSQL said of a failure, for logs: its primary message, which an operator can look up. The statement is no
 * part of it, and whatever may be a value of a request is left out.
 */

/** Null for an error that PostgreSQL has not answered with. */
export function databaseWords(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  const isOfNames = NAMES_THINGS.has(String(error.code).slice(0, 2));
  const words = isOfNames ? error.message : error.message.replace(/"[\s\S]*"/, '"…"');
  // The mapper appends the detail, which quotes rows.
  return words.split('\n', 1)[0] ?? null;
}

/** Classes of SQLSTATE whose messages quote names of roles, databases and constraints, and never a value. */
const NAMES_THINGS: ReadonlySet<string> = new Set(['08', '23', '28', '3D', '40', '53', '55', '57', '58']);

/** The database is not one that the service can run on; the message says what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** Whether PostgreSQL, asked by ourselves or by the mapper, says that a role may not do something. */
export function isPrivilegeMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '42501';
}

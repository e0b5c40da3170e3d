/** The service cannot run on this database; the message says why and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** Whether PostgreSQL reports a missing privilege (SQLSTATE 42501), through `pg` or MikroORM. */
export function isPrivilegeMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '42501';
}

/** Telling failures apart by their code: Node's (`ENOENT`) and PostgreSQL's (`57P03`) sit in the same place. */

/** Whether an error carries one of the codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCodeOf(error) ?? '');
}

/** The code of an error, where it has one. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

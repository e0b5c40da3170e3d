/** Tells failures apart by their code, which Node (`ENOENT`) and PostgreSQL (`57P03`) keep in the same property. */

/** Whether an error carries one of the codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCodeOf(error) ?? '');
}

/** The code of an error, if it has one. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

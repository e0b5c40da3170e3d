/** Whether the error has one of the codes, of Node (`ENOENT`) or PostgreSQL (`57P03`). */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCodeOf(error) ?? '');
}

export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

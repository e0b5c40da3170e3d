import { ApiError } from '#console/api/http.ts';

/** What the API says is wrong with one member of what was sent; null where it does not complain about it. */
export function faultAt(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.errors.find((fault) => fault.path === path)?.message ?? null;
}

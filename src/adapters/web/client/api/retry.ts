import { ApiError } from './http.ts';

const RETRIES = 2;

/** In seconds. Longer waits are shown as an error. */
const MAX_SILENT_WAIT = 3;

const FIRST_PAUSE_MS = 1_000;

/** Only if the server is unreachable or overloaded and asks for no longer wait. */
export function isTriedAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures >= RETRIES) return false;
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  return isTemporary && (error.retryAfter ?? 0) <= MAX_SILENT_WAIT;
}

/** In milliseconds: the server's `Retry-After`, else doubling. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : null;
  return asked === null ? FIRST_PAUSE_MS * 2 ** failures : asked * 1_000;
}

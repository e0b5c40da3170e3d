/** When a read that failed is tried again, without anybody asking for it. */
import { ApiError } from './http.ts';

const RETRIES = 2;

/** Seconds that a page waits silently; who has to wait for longer is told so. */
const MAX_SILENT_WAIT = 3;

const FIRST_PAUSE_MS = 1_000;

/** After this many failures: the server cannot be reached or is overloaded, and does not ask for a longer wait. */
export function isTriedAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures >= RETRIES) return false;
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  return isTemporary && (error.retryAfter ?? 0) <= MAX_SILENT_WAIT;
}

/** Milliseconds until then: what the server asks for, else twice as long each time. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : null;
  return asked === null ? FIRST_PAUSE_MS * 2 ** failures : asked * 1_000;
}

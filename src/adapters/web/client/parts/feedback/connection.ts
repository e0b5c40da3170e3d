import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '#console/api/http.ts';
import { watchForReturn } from '#console/api/server-return.ts';
import { makeStore } from '#console/app/store.ts';

const RETRIES = 2;

/** In seconds. If the server asks for a longer wait, the error is shown. */
const MAX_SILENT_WAIT = 3;

const FIRST_PAUSE_MS = 1_000;

/** True if the server is unreachable, overloaded or failing, unless it asks for a long wait. */
export function isTriedAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures >= RETRIES) return false;
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  return isTemporary && (error.retryAfter ?? 0) <= MAX_SILENT_WAIT;
}

/** In milliseconds: the `Retry-After` of the answer, or else a doubling pause. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : null;
  return asked === null ? FIRST_PAUSE_MS * 2 ** failures : asked * 1_000;
}

/** While `isAway`, probes the server and calls `onReturn` after each success. */
export function useServerReturn(isAway: boolean, onReturn: () => void): void {
  useEffect(() => (isAway ? watchForReturn(onReturn) : undefined), [isAway, onReturn]);
}

const lost = makeStore(false);

/** True while the connection line at the top is shown. */
export function useLostConnection(): boolean {
  return useSyncExternalStore(lost.subscribe, lost.get);
}

export const setLostConnection = lost.set;

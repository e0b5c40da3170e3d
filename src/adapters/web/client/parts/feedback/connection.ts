import { useEffect, useSyncExternalStore } from 'react';

const PROBE_MS = 3_000;

/** Calls `onReturn` whenever the server answers. */
export function useServerReturn(isAway: boolean, onReturn: () => void): void {
  useEffect(() => {
    if (!isAway) return;
    const probe = setInterval(async () => {
      const answer = await fetch('/readyz').catch(() => null);
      if (answer?.ok === true) onReturn();
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, [isAway, onReturn]);
}

let isLost = false;
const listeners = new Set<() => void>();

/** The line on top already says it. */
export function useLostConnection(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}

export function setLostConnection(next: boolean): void {
  isLost = next;
  for (const listener of listeners) listener();
}

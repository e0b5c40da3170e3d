import { useEffect, useSyncExternalStore } from 'react';
import { makeStore } from '#console/app/store.ts';

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

const lost = makeStore(false);

/** The line on top already says it. */
export function useLostConnection(): boolean {
  return useSyncExternalStore(lost.subscribe, lost.get);
}

export const setLostConnection = lost.set;

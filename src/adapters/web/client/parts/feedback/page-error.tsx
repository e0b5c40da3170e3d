import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { ErrorNotice } from './notice.tsx';

/** Shown when a page fails to load. Retries once the server can be reached again. */
export function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useServerReturn(isOffline(error), retry);

  return (
    <Page title={words.failedTitle}>
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  );
}

const PROBE_MS = 3_000;

/** While `isAway`, calls `onReturn` whenever the server answers. */
export function useServerReturn(isAway: boolean, onReturn: () => void): void {
  useEffect(() => {
    if (!isAway) return;
    const probe = setInterval(async () => {
      const answer = await fetch('/healthz').catch(() => null);
      if (answer?.ok === true) onReturn();
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, [isAway, onReturn]);
}

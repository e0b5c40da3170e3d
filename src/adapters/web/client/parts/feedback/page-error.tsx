import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { ErrorNotice } from './notice.tsx';

/** How often to check whether the server is back, in milliseconds. */
const RETRY_MS = 3_000;

/** Instead of a page that could not be shown, with a way to try again; by itself where the server was gone. */
export function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const isGone = isOffline(error);

  useEffect(() => {
    if (!isGone) return undefined;
    const timer = setInterval(async () => {
      const answer = await fetch('/healthz').catch(() => null);
      if (answer?.ok === true) retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [isGone, retry]);

  return (
    <Page title={words.failedTitle}>
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  );
}

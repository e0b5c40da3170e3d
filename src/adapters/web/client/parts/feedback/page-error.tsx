import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { ErrorNotice } from './notice.tsx';

const RETRY_MS = 3_000;

/** Shown when a page fails to load. Retries by itself if the server was unreachable. */
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

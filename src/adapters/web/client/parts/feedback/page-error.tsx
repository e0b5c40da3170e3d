import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isAway } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { useLostConnection, useServerReturn } from './connection.ts';
import { ErrorNotice } from './notice.tsx';

/** While the server is away, retries as soon as it can be reached. */
export function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const retriesItself = isAway(error);
  const isSaid = useLostConnection();
  useServerReturn(retriesItself, retry);

  return (
    <Page title={words.failedTitle}>
      {!(retriesItself && isSaid) && (
        <ErrorNotice error={error} {...(!retriesItself && { onRetry: retry })} />
      )}
    </Page>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import styles from './connection-line.module.css';

/** How often to check whether the server is back, in milliseconds. */
const PROBE_MS = 3_000;

/** A line that says when the server cannot be reached, and goes when it can. */
export function ConnectionLine() {
  const queries = useQueryClient();
  const [isLost, setIsLost] = useState(false);

  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        // What has failed only now: a query that is tried again still has its last error.
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (isOffline(event.action.error)) setIsLost(true);
      }),
    [queries],
  );

  useEffect(() => {
    if (!isLost) return;
    const probe = setInterval(async () => {
      const answer = await fetch('/healthz').catch(() => null);
      if (answer?.ok !== true) return;
      setIsLost(false);
      await queries.invalidateQueries();
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, [isLost, queries]);

  return (
    <div role="status" className={styles.line} data-lost={isLost || undefined}>
      {isLost ? words.offline : ''}
    </div>
  );
}

import { Link, useCanGoBack, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './not-found.module.css';

export function NotFound() {
  return (
    <Page title={words.notFoundTitle}>
      <p>{words.notFoundText}</p>
      <p>
        <Link to="/">{words.toDashboard}</Link>
      </p>
    </Page>
  );
}

/** Contract: §14. */
export function UnknownAddress() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const path = useRouterState({ select: ({ location }) => location.pathname });

  useEffect(() => {
    document.title = `${words.notFoundTitle} · ${words.product}`;
  }, []);

  return (
    <main className={styles.page}>
      <p className={styles.product}>
        <img src="/icon.svg" alt="" width="24" height="24" /> {words.product}
      </p>
      <h1>{words.notFoundTitle}</h1>
      <code className={styles.address}>{path}</code>
      <p className={styles.text}>{words.notFoundText}</p>
      <p className={styles.ways}>
        <Link to="/">{words.toDashboard}</Link>
        <Link to={'/devices' as '/'}>{words.toDevices}</Link>
      </p>
      {canGoBack && (
        <div>
          <Button onPress={() => router.history.back()}>{words.goBack}</Button>
        </div>
      )}
    </main>
  );
}

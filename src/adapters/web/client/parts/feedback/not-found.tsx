import { Link, useCanGoBack, useRouter, useRouterState } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { LonePage } from '#console/parts/layout/lone-page.tsx';
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

/** The page for an address that the console does not know (Contract: §14). */
export function UnknownAddress() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const path = useRouterState({ select: ({ location }) => location.pathname });

  return (
    <LonePage title={words.notFoundTitle}>
      <code className={styles.address}>{path}</code>
      <p className="soft">{words.notFoundText}</p>
      <p className={styles.ways}>
        <Link to="/">{words.toDashboard}</Link>
        <Link to="/devices">{words.toDevices}</Link>
      </p>
      {canGoBack && (
        <div>
          <Button onPress={() => router.history.back()}>{words.goBack}</Button>
        </div>
      )}
    </LonePage>
  );
}

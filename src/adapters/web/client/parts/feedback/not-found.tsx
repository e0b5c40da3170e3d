import { Link } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';

/** An address where nothing is. */
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

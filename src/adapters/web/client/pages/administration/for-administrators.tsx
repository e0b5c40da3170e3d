import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { USERS_WRITE } from '#domain/access/permission.ts';

interface ForAdministratorsProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** People without users:write see a refusal instead of the page. */
export function ForAdministrators({ title, children }: ForAdministratorsProps) {
  if (holds(useUser(), USERS_WRITE)) return children;
  return (
    <Page title={title}>
      <Empty title={words.notAllowedTitle} text={words.administration.notAllowed}>
        <Link to="/">{words.toDashboard}</Link>
      </Empty>
    </Page>
  );
}

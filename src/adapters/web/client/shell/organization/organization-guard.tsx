import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { organizationsQuery } from '#console/api/fleet/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Page } from '#console/parts/layout/page.tsx';

/** The page, unless its address narrows it to an organization that this person does not reach. */
export function OrganizationGuard({ children }: { readonly children: ReactNode }) {
  const { org } = useSearch({ strict: false });
  const { data: organizations } = useQuery(organizationsQuery(useApi()));
  const isKnown = organizations?.some(({ id }) => id === org) ?? true;
  if (org === undefined || isKnown) return children;
  return (
    <Page title={words.shell.unknownOrganization}>
      <Empty title={words.shell.unknownOrganizationTitle} text={words.shell.unknownOrganizationText}>
        <Link to="." search={((search: object) => ({ ...search, org: undefined })) as unknown as object}>
          {words.shell.showAllOrganizations}
        </Link>
      </Empty>
    </Page>
  );
}

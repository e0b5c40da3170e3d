import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { useLazyPart } from '#console/parts/hooks/use-lazy-part.ts';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './organization-switcher.module.css';

const loadList = () => import('./organization-list.tsx').then(({ OrganizationList }) => OrganizationList);

/** Hidden if the user reaches only one organization. */
export function OrganizationSwitcher({ isSlim }: { readonly isSlim: boolean }) {
  const { org } = useSearch({ strict: false });
  const { data: organizations, error, refetch } = useQuery(organizationsQuery(useApi()));
  const { scope } = useUser();
  const button = useRef<HTMLButtonElement>(null);
  const { Part: List, close, buttonProps } = useLazyPart('organizations', loadList);
  const className = isSlim ? styles.slim : styles.button;
  const face = (text: string) =>
    isSlim ? <Icon name="organizations" /> : <span className={styles.name}>{text}</span>;
  if (organizations === undefined && error !== null && scope !== 'organization') {
    const label = words.shell.retryOrganizations;
    return (
      <Button aria-label={label} className={className} onPress={() => void refetch()}>
        {face(label)}
      </Button>
    );
  }
  if (organizations === undefined) {
    // Keeps the space, so the links below do not move later.
    return scope === 'organization' ? null : <div className={styles.place} />;
  }
  if (organizations.length < 2) return null;
  const name = organizations.find(({ id }) => id === org)?.name ?? words.shell.allOrganizations;
  return (
    <>
      <Button
        ref={button}
        aria-label={words.shell.organizationIs(name)}
        aria-haspopup="dialog"
        className={className}
        {...buttonProps}
      >
        {face(name)}
        {!isSlim && <Icon name="down" />}
      </Button>
      {List !== null && (
        <List button={button} organizations={organizations} chosen={org ?? null} onClose={close} />
      )}
    </>
  );
}

/** Replaces the page if the user cannot access the organization in the address. */
export function OrganizationGuard({ children }: { readonly children: ReactNode }) {
  const { org } = useSearch({ strict: false });
  const { data: organizations } = useQuery(organizationsQuery(useApi()));
  const isKnown = organizations?.some(({ id }) => id === org) ?? true;
  if (org === undefined || isKnown) return children;
  return (
    <Page title={words.shell.unknownOrganization}>
      <Empty title={words.shell.unknownOrganizationTitle} text={words.shell.unknownOrganizationText}>
        <Link to="." search={(search) => ({ ...search, org: undefined })}>
          {words.shell.showAllOrganizations}
        </Link>
      </Empty>
    </Page>
  );
}

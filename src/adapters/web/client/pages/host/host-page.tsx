/** A page of the host product (Contract: §14). */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type HostPages, PLACES } from '#adapters/web/places.ts';
import { hostPagesQuery } from '#console/api/host-pages.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './host-page.module.css';

const SETTINGS: Readonly<Record<keyof HostPages, string>> = {
  incidents: 'NAV_INCIDENTS_URL',
  remoteAccess: 'NAV_REMOTE_ACCESS_URL',
  vulnerabilities: 'NAV_VULNERABILITIES_URL',
};

function HostPage({ page }: { readonly page: keyof HostPages }) {
  const { data, error, refetch } = useQuery(hostPagesQuery);
  const { isPlatformAdmin } = useUser();
  const address = data?.[page] ?? null;
  const title = PLACES.find((place) => 'hostPage' in place && place.hostPage === page)?.title ?? '';

  useEffect(() => {
    // Replaces the history entry, so the Back button skips this page.
    if (address !== null) window.location.replace(address);
  }, [address]);

  return (
    <Page title={title}>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Skeleton width="280px" />}
      {address !== null && (
        <>
          <p>{words.hostPages.leading(title)}</p>
          <p>
            <a href={address} className={styles.open}>
              {words.hostPages.open(title)} <Icon name="external" />
            </a>
          </p>
        </>
      )}
      {data !== undefined && address === null && (
        <Empty
          title={words.hostPages.noneTitle(title)}
          text={
            <>
              {words.hostPages.noneText}
              {isPlatformAdmin && (
                <>
                  {' '}
                  {words.hostPages.setting} <code>{SETTINGS[page]}</code>.
                </>
              )}
            </>
          }
        />
      )}
    </Page>
  );
}

export const IncidentsPage = () => <HostPage page="incidents" />;
export const RemoteAccessPage = () => <HostPage page="remoteAccess" />;
export const VulnerabilitiesPage = () => <HostPage page="vulnerabilities" />;

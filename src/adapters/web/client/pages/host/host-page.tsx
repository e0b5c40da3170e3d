/** Redirects to the host product's page, or says that there is none (Contract: §14). */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type HostPages, PLACES, type Place } from '#adapters/web/places.ts';
import { send, toApiError } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './host-page.module.css';

interface HostPageProps {
  readonly page: keyof HostPages;
  readonly place: Extract<(typeof PLACES)[number], { readonly hostSetting: string }>['path'];
}

const hostPagesQuery = queryOptions({
  queryKey: ['host-pages'],
  queryFn: async ({ signal }): Promise<HostPages> => {
    const response = await send('/settings.json', { signal });
    if (!response.ok) throw await toApiError(response);
    return (await response.json()).hostPages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function HostPage({ page, place }: HostPageProps) {
  const { data, error, refetch } = useQuery(hostPagesQuery);
  const address = data?.[page] ?? null;
  const { title, hostSetting } = PLACES.find(({ path }) => path === place) as Place;

  useEffect(() => {
    // Replaces the entry, so Back skips this page.
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
              {words.hostPages.noneText} <code>{hostSetting}</code>.
            </>
          }
        />
      )}
    </Page>
  );
}

export const IncidentsPage = () => <HostPage page="incidents" place="/incidents" />;
export const RemoteAccessPage = () => <HostPage page="remoteAccess" place="/remote-access" />;
export const VulnerabilitiesPage = () => <HostPage page="vulnerabilities" place="/vulnerabilities" />;

import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { namedDeviceQuery } from '#console/api/devices/device-name.ts';
import { ApiError } from '#console/api/http.ts';
import { getPageTitle, subscribeToTitle } from '#console/app/page-title.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { forgetDevice, rememberDevice, rememberPage } from './recents.ts';

/** Keeps what the palette calls recent: each place that is opened, devices by their names. */
export function useVisits(): void {
  const { id: userId } = useUser();
  const api = useApi();
  const queries = useQueryClient();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });

  useEffect(() => {
    if (path === undefined) return undefined;
    const [, deviceId] = /^\/devices\/([^/]+)$/.exec(path) ?? [];
    if (deviceId === undefined) {
      const place = PLACES.find((one) => one.path === path && !('isPublic' in one));
      if (place !== undefined) rememberPage(userId, { path, title: place.title });
      return place === undefined && path.startsWith('/filters/') ? rememberByTitle(userId, path) : undefined;
    }
    queries
      .fetchQuery({ ...namedDeviceQuery(api, deviceId), staleTime: 60_000 })
      .then(({ data: { id, displayName, hostname, organization } }) =>
        rememberDevice(userId, { id, title: displayName ?? hostname, organization: organization.name }),
      )
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) forgetDevice(userId, deviceId);
      });
    return undefined;
  }, [path, userId, api, queries]);
}

/** A filter is named by its page, once that has loaded it. */
function rememberByTitle(userId: string, path: string): () => void {
  const remember = () => {
    const shown = getPageTitle();
    const isNamed = ![words.loading, words.failedTitle, words.notFoundTitle].includes(shown.title);
    if (shown.path === path && isNamed) rememberPage(userId, { path, title: shown.title });
  };
  remember();
  return subscribeToTitle(remember);
}

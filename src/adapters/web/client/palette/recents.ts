/**
 * Recent devices and pages, kept in the browser for each user (Contract: §14). Titles are stored too, so the list
 * shows at once.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { deviceQuery } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { getPageTitle, subscribeToTitle } from '#console/app/page-title.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';

export interface RecentDevice {
  readonly id: string;
  readonly title: string;
  readonly organization: string;
}

export interface RecentPage {
  readonly path: string;
  readonly title: string;
}

export interface Recents {
  readonly devices: readonly RecentDevice[];
  readonly pages: readonly RecentPage[];
}

/** Contract: §14. */
const MAX_DEVICES = 5;
const MAX_PAGES = 8;

export function readRecents(userId: string): Recents {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}');
    return {
      devices: textsOf(stored.devices, ['id', 'title', 'organization']).slice(0, MAX_DEVICES),
      pages: textsOf(stored.pages, ['path', 'title']).slice(0, MAX_PAGES),
    };
  } catch {
    return { devices: [], pages: [] };
  }
}

export function forgetDevice(userId: string, deviceId: string): void {
  rememberDevice(userId, deviceId, null);
}

function rememberDevice(userId: string, deviceId: string, device: RecentDevice | null): void {
  const others = readRecents(userId).devices.filter(({ id }) => id !== deviceId);
  change(userId, { devices: device === null ? others : [device, ...others] });
}

function rememberPage(userId: string, page: RecentPage): void {
  const others = readRecents(userId).pages.filter(({ path }) => path !== page.path);
  change(userId, { pages: [page, ...others] });
}

function change(userId: string, changes: Partial<Recents>): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify({ ...readRecents(userId), ...changes }));
  } catch {
    // Without storage, there are no recent devices and pages.
  }
}

function keyOf(userId: string): string {
  return `fleetsift.recents.${userId}`;
}

/** Drops entries that another version of the console wrote differently. */
function textsOf<Name extends string>(
  stored: unknown,
  names: readonly Name[],
): readonly Readonly<Record<Name, string>>[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((one) => names.every((name) => typeof one?.[name] === 'string'));
}

export function useVisits(): void {
  const { id: userId } = useUser();
  const api = useApi();
  const queries = useQueryClient();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });

  useEffect(() => {
    if (path === undefined) return;
    const place = PLACES.find((one) => one.path === path && !('isPublic' in one));
    const [, deviceId] = /^\/devices\/([^/]+)$/.exec(path) ?? [];
    if (place !== undefined || deviceId === undefined) {
      if (place !== undefined) return rememberPage(userId, { path, title: place.title });
      return path.startsWith('/filters/') ? rememberByTitle(userId, path) : undefined;
    }
    queries
      .fetchQuery({ ...deviceQuery(api, deviceId), staleTime: 60_000 })
      .then(({ data: { id, displayName, hostname, organization } }) =>
        rememberDevice(userId, id, { id, title: displayName ?? hostname, organization: organization.name }),
      )
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) rememberDevice(userId, deviceId, null);
      });
  }, [path, userId, api, queries]);
}

/** Waits for the title, which a filter's page sets only after loading. */
function rememberByTitle(userId: string, path: string): () => void {
  const remember = () => {
    const shown = getPageTitle();
    const isNamed = ![words.loading, words.failedTitle, words.notFoundTitle].includes(shown.title);
    if (shown.path === path && isNamed) rememberPage(userId, { path, title: shown.title });
  };
  remember();
  return subscribeToTitle(remember);
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { organizationsQuery } from '#console/api/fleet.ts';
import { hostPagesQuery } from '#console/api/host-pages.ts';
import { filtersByNameQuery, searchQuery } from '#console/api/search.ts';
import { usePreferences } from '#console/app/preferences.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import { type ActionsOfShell, goToRows, quickActions } from './actions.ts';
import {
  filterRow,
  foundGroups,
  organizationRow,
  type RowGroup,
  recentDeviceRow,
  recentPageRow,
} from './found-rows.ts';
import { matching, readWanted, tidy, type Wanted } from './match.ts';
import type { Recents } from './recents.ts';

/** Counted from the last key press. */
const REST_MS = 150;

export interface Groups {
  readonly groups: readonly RowGroup[];
  readonly wanted: Wanted;
  readonly isSearching: boolean;
  readonly error: unknown;
}

/** Local rows appear at once; the server's results follow. */
export function useGroups(typed: string, recents: Recents, shell: ActionsOfShell): Groups {
  const api = useApi();
  const preferences = usePreferences();
  const { permissions } = useUser();
  const { org } = useSearch({ strict: false });
  const wanted = readWanted(typed);
  const { kind, text } = wanted;
  const asked = useDebounced(text, REST_MS);
  const hasRested = asked === text;
  const isAsking = text !== '';

  const found = useQuery({
    ...searchQuery(api, asked, org ?? null),
    enabled: kind === 'everything' && isAsking && hasRested,
    // Until the answer comes, the previous results stay, narrowed to the text.
    placeholderData: (previous) => previous,
  });
  const filters = useQuery({
    ...filtersByNameQuery(api, asked),
    enabled: kind === 'filters' && hasRested,
    placeholderData: (previous) => previous,
  });
  const { data: hostPages } = useQuery(hostPagesQuery);
  const organizations = useQuery({
    ...organizationsQuery(api),
    enabled: kind !== 'everything' || org !== undefined,
  });
  const chosen = organizations.data?.find(({ id }) => id === org);

  const quick = quickActions(shell, preferences, permissions);
  const actions = [...quick, ...goToRows(hostPages)];
  switch (kind) {
    case 'commands':
      return answer([{ title: words.palette.quickActions, rows: matching(actions, text) }], null);
    case 'organizations': {
      const rows = matching((organizations.data ?? []).map(organizationRow), text);
      return answer([{ title: words.palette.organizations, rows }], organizations);
    }
    case 'filters': {
      const rows = (filters.data ?? [])
        .filter(
          ({ orgId, partnerId }) => org === undefined || orgId === org || partnerId === chosen?.partnerId,
        )
        .map((filter) => filterRow(filter, organizations.data ?? []));
      return answer([{ title: words.palette.filters, rows: narrowed(rows, filters) }], filters);
    }
    case 'everything': {
      const devices = recents.devices
        .filter(({ organization }) => org === undefined || organization === chosen?.name)
        .map(recentDeviceRow);
      const pages = recents.pages.map(recentPageRow);
      if (!isAsking) {
        const untyped = [
          { title: words.palette.recentDevices, rows: devices },
          { title: words.palette.recentPages, rows: pages },
          { title: words.palette.quickActions, rows: quick },
        ];
        return answer(untyped, null);
      }
      const isSettled = hasRested && !found.isFetching;
      return answer(
        [
          { title: words.palette.recent, rows: matching([...devices, ...pages], text) },
          ...foundGroups(found.data ?? []).map(({ title, rows }) => ({ title, rows: narrowed(rows, found) })),
          // Actions come last, so late answers never insert rows above the chosen one.
          { title: words.palette.quickActions, rows: isSettled ? matching(actions, text) : [] },
        ],
        found,
      );
    }
  }

  function answer(groups: readonly RowGroup[], query: UseQueryResult<unknown, unknown> | null): Groups {
    return {
      groups: tidy(groups),
      wanted,
      isSearching: query !== null && query.error === null && (!hasRested || query.isFetching),
      error: query !== null && hasRested ? query.error : null,
    };
  }

  function narrowed(rows: RowGroup['rows'], query: UseQueryResult<unknown, unknown>): RowGroup['rows'] {
    return hasRested && !query.isPlaceholderData
      ? rows
      : rows.filter((row) => matching([row], text).length > 0);
  }
}

/**
 * Each page is loaded when it is first opened. `org` narrows every page and stays in the address from page to page.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { BASE_PATH } from '#console/api/base-path.ts';
import { hostPagesQuery } from '#console/api/host-pages.ts';
import {
  AUDIT_PARAMETERS,
  type FilterTab,
  parseDeviceSearch,
  parseDevicesSearch,
  readAlertsSearch,
  readFiltersSearch,
  readFilterTab,
  readNewFilterSearch,
  readOrganizationsSearch,
  readPatchesSearch,
  readPeopleSearch,
  readProviderProblem,
  readScriptsSearch,
  validateAuditLogSearch,
  validateDeletionRequestsSearch,
} from '#console/pages/search.ts';
import { UnknownAddress } from '#console/parts/feedback/not-found.tsx';
import { PageError } from '#console/parts/feedback/page-error.tsx';
import { LeaveWhenSignedOut } from '#console/session/sign-in-again.tsx';
import { lazyPage } from './lazy-page.ts';
import { parseSearch, readNext, readOnly, stringifySearch } from './search-params.ts';
import type { Services } from './services.ts';
import { userQuery } from './user.ts';

export interface RouterContext extends Services {
  readonly queries: QueryClient;
}

export interface SharedSearch {
  readonly org?: string | undefined;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: LeaveWhenSignedOut,
  notFoundComponent: UnknownAddress,
  // An absent `org` must not be named, or it would not be retained. An invalid one must be, or pages would still read
  // it.
  validateSearch: ({ org }: Record<string, unknown>): SharedSearch =>
    org === undefined ? {} : { org: typeof org === 'string' && org !== '' ? org : undefined },
  search: { middlewares: [retainSearchParams(['org'])] },
});

const readNextAndProblem = (sent: Record<string, unknown>) => ({
  ...readNext(sent),
  ...readProviderProblem(sent),
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: readNextAndProblem,
  component: lazyPage(() => import('#console/pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyPage(() => import('#console/pages/sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyPage(() => import('#console/pages/sign-in/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
] as const;

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { session, queries, api }, location }) => {
    if (session.state.kind === 'unknown') await session.begin();
    if (session.state.kind === 'signed-out') {
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    }
    // With them, the navigation is complete when it appears. Without an answer, it leaves the host's pages out.
    const hostPages = queries.prefetchQuery(hostPagesQuery);
    await queries.ensureQueryData(userQuery(api));
    await hostPages;
  },
  component: lazyPage(() => import('#console/shell/shell.tsx'), 'Shell'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyPage(() => import('#console/pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

const deletionRequestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin/account-deletion-requests',
  validateSearch: readOnly(['status', 'page'], validateDeletionRequestsSearch),
  component: lazyPage(
    () => import('#console/pages/administration/deletion-requests-page.tsx'),
    'DeletionRequestsPage',
  ),
});

const deletionRequestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin/account-deletion-requests/$id',
  component: lazyPage(
    () => import('#console/pages/administration/deletion-request-page.tsx'),
    'DeletionRequestPage',
  ),
});

const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/admin/identity-providers',
    component: lazyPage(
      () => import('#console/pages/identity-providers/providers-page.tsx'),
      'IdentityProvidersPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    validateSearch: readPeopleSearch,
    component: lazyPage(() => import('#console/pages/people/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/$id',
    component: lazyPage(() => import('#console/pages/people/person-page.tsx'), 'PersonPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/organizations/$id',
    component: lazyPage(
      () => import('#console/pages/organization/organization-page.tsx'),
      'OrganizationPage',
    ),
  }),
] as const;

const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin/audit-log',
  validateSearch: readOnly(AUDIT_PARAMETERS, validateAuditLogSearch),
  component: lazyPage(() => import('#console/pages/administration/audit-log-page.tsx'), 'AuditLogPage'),
});

const settingsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/profile',
    component: lazyPage(() => import('#console/pages/settings/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/security',
    validateSearch: readNextAndProblem,
    component: lazyPage(() => import('#console/pages/settings/security/security-page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/api-keys',
    component: lazyPage(() => import('#console/pages/settings/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
] as const;

const listRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/organizations',
    validateSearch: readOrganizationsSearch,
    component: lazyPage(() => import('#console/pages/lists/organizations-page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts',
    validateSearch: readAlertsSearch,
    component: lazyPage(() => import('#console/pages/lists/alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/$id',
    component: lazyPage(() => import('#console/pages/lists/alert-page.tsx'), 'AlertPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/scripts',
    validateSearch: readScriptsSearch,
    component: lazyPage(() => import('#console/pages/lists/scripts-page.tsx'), 'ScriptsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/patches',
    validateSearch: readPatchesSearch,
    component: lazyPage(() => import('#console/pages/lists/patches-page.tsx'), 'PatchesPage'),
  }),
] as const;

const hostRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/incidents',
    component: lazyPage(() => import('#console/pages/host/host-page.tsx'), 'IncidentsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/remote-access',
    component: lazyPage(() => import('#console/pages/host/host-page.tsx'), 'RemoteAccessPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/vulnerabilities',
    component: lazyPage(() => import('#console/pages/host/host-page.tsx'), 'VulnerabilitiesPage'),
  }),
] as const;

const devicesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/devices',
  validateSearch: readOnly(['q', 'sort', 'columns', 'dialog'], parseDevicesSearch),
  component: lazyPage(() => import('#console/pages/devices/devices-page.tsx'), 'DevicesPage'),
});

const duplicatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/devices/duplicates',
  component: lazyPage(() => import('#console/pages/devices/duplicates-page.tsx'), 'DuplicatesPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/devices/$id',
  validateSearch: readOnly(['tab'], parseDeviceSearch),
  component: lazyPage(() => import('#console/pages/device/device-page.tsx'), 'DevicePage'),
});

const filtersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/filters',
  validateSearch: readFiltersSearch,
  component: lazyPage(() => import('#console/pages/filters/list/filters-page.tsx'), 'FiltersPage'),
});

const newFilterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/filters/new',
  validateSearch: readNewFilterSearch,
  component: lazyPage(() => import('#console/pages/filters/edit/filter-page.tsx'), 'NewFilterPage'),
});

const filterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/filters/$id',
  validateSearch: readOnly<FilterTab>(['tab'], readFilterTab),
  component: lazyPage(() => import('#console/pages/filters/edit/filter-page.tsx'), 'FilterPage'),
});

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree: rootRoute.addChildren([
      loginRoute,
      ...linkRoutes,
      shellRoute.addChildren([
        dashboardRoute,
        devicesRoute,
        duplicatesRoute,
        deviceRoute,
        filtersRoute,
        newFilterRoute,
        filterRoute,
        deletionRequestsRoute,
        deletionRequestRoute,
        auditLogRoute,
        ...peopleRoutes,
        ...settingsRoutes,
        ...listRoutes,
        ...hostRoutes,
      ]),
    ]),
    basepath: BASE_PATH,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    // In milliseconds; slower pages show their skeleton.
    defaultPendingMs: 150,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }

  interface HistoryState {
    readonly isSaved?: boolean;
    /** The email, or an empty text if it is not known. */
    readonly passwordSetFor?: string;
    readonly deletedId?: string;
    /** Says what became of a device that is gone. */
    readonly endedDevice?: string;
  }
}

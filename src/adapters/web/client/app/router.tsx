/** Pages load when first opened. The search parameter `org` narrows every page and is kept on navigation. */
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
  // An absent `org` stays absent, so that `retainSearchParams` keeps the current one. An invalid `org` must
  // be undefined, or the router would keep its raw value.
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
    // The sidebar needs the addresses of the host's pages, and omits these pages if the request fails.
    const hostPages = queries.prefetchQuery(hostPagesQuery);
    await queries.ensureQueryData(userQuery(api));
    await hostPages;
  },
  component: lazyPage(() => import('#console/shell/shell.tsx'), 'Shell'),
});

/** `validateSearch` reads the page's own search parameters. */
function page<
  const Path extends string,
  Modules extends Record<string, unknown>,
  Search extends object = Record<never, never>,
>(
  path: Path,
  load: () => Promise<Modules>,
  name: keyof Modules & string,
  validateSearch: (sent: Record<string, unknown>) => Search = () => ({}) as Search,
) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    component: lazyPage(load, name),
    validateSearch,
  });
}

const pages = [
  page('/', () => import('#console/pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  page(
    '/admin/account-deletion-requests',
    () => import('#console/pages/administration/deletion-requests-page.tsx'),
    'DeletionRequestsPage',
    readOnly(['status', 'page'], validateDeletionRequestsSearch),
  ),
  page(
    '/admin/account-deletion-requests/$id',
    () => import('#console/pages/administration/deletion-request-page.tsx'),
    'DeletionRequestPage',
  ),
  page(
    '/admin/identity-providers',
    () => import('#console/pages/identity-providers/providers-page.tsx'),
    'IdentityProvidersPage',
  ),
  page('/people', () => import('#console/pages/people/people-page.tsx'), 'PeoplePage', readPeopleSearch),
  page('/people/$id', () => import('#console/pages/people/person-page.tsx'), 'PersonPage'),
  page(
    '/organizations/$id',
    () => import('#console/pages/organization/organization-page.tsx'),
    'OrganizationPage',
  ),
  page(
    '/admin/audit-log',
    () => import('#console/pages/administration/audit-log-page.tsx'),
    'AuditLogPage',
    readOnly(AUDIT_PARAMETERS, validateAuditLogSearch),
  ),
  page('/settings/profile', () => import('#console/pages/settings/profile-page.tsx'), 'ProfilePage'),
  page(
    '/settings/security',
    () => import('#console/pages/settings/security/security-page.tsx'),
    'SecurityPage',
    readNextAndProblem,
  ),
  page(
    '/settings/api-keys',
    () => import('#console/pages/settings/api-keys/api-keys-page.tsx'),
    'ApiKeysPage',
  ),
  page(
    '/organizations',
    () => import('#console/pages/lists/organizations-page.tsx'),
    'OrganizationsPage',
    readOrganizationsSearch,
  ),
  page('/alerts', () => import('#console/pages/lists/alerts-page.tsx'), 'AlertsPage', readAlertsSearch),
  page('/alerts/$id', () => import('#console/pages/lists/alert-page.tsx'), 'AlertPage'),
  page('/scripts', () => import('#console/pages/lists/scripts-page.tsx'), 'ScriptsPage', readScriptsSearch),
  page('/patches', () => import('#console/pages/lists/patches-page.tsx'), 'PatchesPage', readPatchesSearch),
  page('/incidents', () => import('#console/pages/host/host-page.tsx'), 'IncidentsPage'),
  page('/remote-access', () => import('#console/pages/host/host-page.tsx'), 'RemoteAccessPage'),
  page('/vulnerabilities', () => import('#console/pages/host/host-page.tsx'), 'VulnerabilitiesPage'),
  page(
    '/devices',
    () => import('#console/pages/devices/devices-page.tsx'),
    'DevicesPage',
    readOnly(['q', 'sort', 'columns', 'dialog'], parseDevicesSearch),
  ),
  page('/devices/duplicates', () => import('#console/pages/devices/duplicates-page.tsx'), 'DuplicatesPage'),
  page(
    '/devices/$id',
    () => import('#console/pages/device/device-page.tsx'),
    'DevicePage',
    readOnly(['tab'], parseDeviceSearch),
  ),
  page(
    '/filters',
    () => import('#console/pages/filters/list/filters-page.tsx'),
    'FiltersPage',
    readFiltersSearch,
  ),
  page(
    '/filters/new',
    () => import('#console/pages/filters/edit/filter-page.tsx'),
    'NewFilterPage',
    readNewFilterSearch,
  ),
  page(
    '/filters/$id',
    () => import('#console/pages/filters/edit/filter-page.tsx'),
    'FilterPage',
    readOnly<FilterTab>(['tab'], readFilterTab),
  ),
] as const;

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree: rootRoute.addChildren([loginRoute, ...linkRoutes, shellRoute.addChildren(pages)]),
    basepath: BASE_PATH,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    // Pages that take longer show their skeleton.
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
    /** Empty if the email is unknown. */
    readonly passwordSetFor?: string;
    readonly deletedId?: string;
    readonly endedDevice?: string;
  }
}

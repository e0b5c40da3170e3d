/** Composes the routes into one application (Contract: §1, §9). */
import { Hono } from 'hono';
import {
  DEFAULT_BUDGETS,
  makeRequestShares,
  type RequestBudgets,
} from '#application/admission/request-budgets.ts';
import type { ReadAuditLog } from '#application/audit/read-audit-log.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { CustomFieldUseCases } from '#application/custom-fields/custom-field-use-cases.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import type { DeviceUseCases } from '#application/devices/device-use-cases.ts';
import type { ExportDevices } from '#application/devices/export-devices.ts';
import type { EnrolmentUseCases } from '#application/enrolment/enrolment-use-cases.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { FleetUseCases } from '#application/fleet/fleet-use-cases.ts';
import type { TenantUseCases } from '#application/fleet/tenant-use-cases.ts';
import type { IdentityProviderUseCases } from '#application/identity-providers/provider-use-cases.ts';
import type { AnswerAgent } from '#application/inventory/answer-agent.ts';
import type { TakeInventory } from '#application/inventory/take-inventory.ts';
import type { LiveUseCases } from '#application/live/live-use-cases.ts';
import type { PeopleUseCases } from '#application/people/people-use-cases.ts';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { ReporterVerifier } from '#application/ports/auth/reporter-verifier.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { WithFreshness } from '#application/ports/freshness.ts';
import type { Log } from '#application/ports/log.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';
import { makeAdmission } from './admission/admit-requests.ts';
import { type AnswerThrownDeps, makeAnswerThrown } from './answer/answer-thrown.ts';
import { makeAnswerUnrouted } from './answer/answer-unrouted.ts';
import { makeRespondList } from './answer/respond-list.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { accountRoutes } from './auth/account-routes.ts';
import { linkRoutes } from './auth/link-routes.ts';
import { oidcRoutes } from './auth/oidc-routes.ts';
import { browserSessionRoutes, SESSION_PATH, signInRoutes } from './auth/sign-in-routes.ts';
import { customFieldRoutes } from './custom-fields/custom-field-routes.ts';
import { deletionRoutes } from './deletion/deletion-routes.ts';
import { deviceRoutes } from './devices/device-routes.ts';
import { filterRoutes } from './filters/filter-routes.ts';
import { alertRoutes } from './fleet/alert-routes.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { tenantRoutes } from './fleet/tenant-routes.ts';
import type { HttpEnv } from './http-env.ts';
import { providerRoutes } from './identity-providers/provider-routes.ts';
import { agentRoutes, inventoryRoutes } from './inventory/inventory-routes.ts';
import { liveRoutes } from './live/live-routes.ts';
import { webhookRoutes } from './live/webhook-routes.ts';
import { makeObserveRequests, type RequestFact, type TraceRequest } from './observe-requests.ts';
import type { FindPages } from './pages.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { makeAuthenticate } from './read/authenticate.ts';
import { makeAuthenticateReporter } from './read/authenticate-reporter.ts';
import { basePathOf, makeGetPath, makePlaceBelow } from './read/base-path.ts';
import { makeFindClientAddress, makeRequireAddress } from './read/client-address.ts';
import { makeOwnOrigin } from './read/own-origin.ts';
import { type ServiceRoutesDeps, serviceRoutes } from './service/service-routes.ts';

export interface HttpDeps extends Omit<ServiceRoutesDeps, 'basePath'>, AnswerThrownDeps {
  readonly filters: FilterUseCases;
  readonly live: LiveUseCases;
  readonly customFields: CustomFieldUseCases;
  readonly enrolment: EnrolmentUseCases;
  readonly reporters: ReporterVerifier;
  readonly answerAgent: AnswerAgent;
  readonly takeInventory: TakeInventory;
  readonly devices: DeviceUseCases;
  readonly exportDevices: ExportDevices;
  readonly search: SearchEverything;
  readonly fleet: FleetUseCases;
  readonly auth: AuthUseCases;
  readonly tenants: TenantUseCases;
  readonly people: PeopleUseCases;
  readonly identityProviders: IdentityProviderUseCases;
  readonly deletions: DeletionUseCases;
  readonly readAuditLog: ReadAuditLog;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
  readonly credentials: CredentialVerifier;
  readonly log: Log;
  /** 1-128 characters of `[A-Za-z0-9._-]`. */
  readonly newRequestId: () => string;
  /** Addresses and CIDR blocks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Includes the path. If absent or null, the address that a request names is used. */
  readonly baseUrl?: string | null;
  /** The default suits the PostgreSQL backend. */
  readonly budgets?: RequestBudgets;
  /** True when streams should end. Absent: never. */
  readonly isStopping?: () => boolean;
  readonly noteRequest?: (fact: RequestFact) => void;
  readonly noteRefusal?: (limiter: string) => void;
  readonly traceRequest?: TraceRequest;
  readonly findPages?: FindPages;
  /** Absent: there is no replica, so reads never lag. */
  readonly withFreshness?: WithFreshness;
}

/**
 * Builds the application that `serveApp` serves. Throws if a trusted proxy is neither an address nor a CIDR
 * block, or the path of `baseUrl` collides with a route.
 */
export function createApp(deps: HttpDeps): Hono<HttpEnv> {
  const answerThrown = makeAnswerThrown(deps);
  const findClientAddress = makeFindClientAddress(deps.trustedProxies);
  const admission = makeAdmission(makeRequestShares(deps.budgets ?? DEFAULT_BUDGETS), deps.noteRefusal);
  const { baseUrl = null } = deps;
  const ownOrigin = makeOwnOrigin({ ...deps, baseUrl });
  const authenticate = makeAuthenticate({ ...deps, findClientAddress, admission });
  const authenticateReporter = makeAuthenticateReporter({ ...deps, findClientAddress, admission });

  const respondList = makeRespondList(deps.cursors);

  const basePath = basePathOf(baseUrl);
  const app = new Hono<HttpEnv>({ getPath: makeGetPath(basePath) });
  app.use(makeObserveRequests({ ...deps, answerThrown, findClientAddress }));
  app.use(makeRequireAddress(findClientAddress));
  app.use(makePlaceBelow(basePath));
  app.route('/', serviceRoutes({ ...deps, basePath }));
  app.route('/inventory', agentRoutes({ ...deps, authenticateReporter, findClientAddress }));
  app.route('/api/v1/auth', signInRoutes({ ...deps, findClientAddress, admission, ownOrigin }));
  app.route('/api/v1/auth', linkRoutes({ ...deps, findClientAddress, admission, ownOrigin }));
  app.route(
    '/api/v1/auth',
    oidcRoutes({ ...deps, findClientAddress, admission, authenticate, ownOrigin, basePath }),
  );
  app.route('/api/v1/auth', accountRoutes({ ...deps, authenticate, ownOrigin }));
  app.route(
    SESSION_PATH,
    browserSessionRoutes({ ...deps, findClientAddress, admission, ownOrigin, basePath }),
  );
  app.route('/api/v1/users', peopleRoutes({ ...deps, respondList, authenticate }));
  app.route('/api/v1/identity-providers', providerRoutes({ ...deps, authenticate }));
  app.route('/api/v1', deletionRoutes({ ...deps, authenticate }));
  app.route('/api/v1/admin/audit-log', auditRoutes({ ...deps, respondList, authenticate }));
  app.route('/api/v1/filters', filterRoutes({ ...deps, authenticate }));
  app.route('/api/v1', liveRoutes({ ...deps, authenticate }));
  app.route('/api/v1', webhookRoutes({ ...deps, authenticate }));
  app.route('/api/v1/custom-fields', customFieldRoutes({ ...deps, authenticate }));
  app.route('/api/v1', inventoryRoutes({ ...deps, authenticate }));
  app.route('/api/v1/devices', deviceRoutes({ ...deps, authenticate }));
  app.route('/api/v1', tenantRoutes({ ...deps, authenticate }));
  app.route('/api/v1', fleetRoutes({ ...deps, respondList, authenticate }));
  app.route('/api/v1', alertRoutes({ ...deps, respondList, authenticate }));
  app.notFound(makeAnswerUnrouted(app, deps.findPages));
  app.onError(answerThrown);
  const [taken] = app.routes.filter(({ path }) => basePath !== '' && `${path}/`.startsWith(`${basePath}/`));
  if (taken !== undefined) {
    throw new Error(
      `BASE_URL has the path ${basePath}, and the service has addresses there, such as ${taken.path}`,
    );
  }
  return app;
}

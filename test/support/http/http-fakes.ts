/** Fakes of the dependencies of the HTTP adapter, so that its tests cover only the translation. */
import type { Hono } from 'hono';
import { type Mock, vi } from 'vitest';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { createApp, type HttpDeps } from '#adapters/http/app.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import {
  DEVICE_NOT_FOUND,
  FILTER_NOT_FOUND,
  ORGANIZATION_NOT_FOUND,
} from '#application/application-error.ts';
import { makeCustomFieldUseCases } from '#application/custom-fields/custom-field-use-cases.ts';
import { makeEnrolmentUseCases } from '#application/enrolment/enrolment-use-cases.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { NamedFilter } from '#application/filters/saved/name-creator.ts';
import { makeFleetUseCases } from '#application/fleet/fleet-use-cases.ts';
import { makeTenantUseCases } from '#application/fleet/tenant-use-cases.ts';
import { makeIdentityProviderUseCases } from '#application/identity-providers/provider-use-cases.ts';
import { makeLiveUseCases } from '#application/live/live-use-cases.ts';
import { makePeopleUseCases } from '#application/people/people-use-cases.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';
import type { Caller } from '#domain/access/caller.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ApiKeyId, FilterId, OrgId, UserId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { aCaller, aSavedFilter, newId, ONLINE_CONDITIONS, orgScope } from '#test/support/builders.ts';
import { checkAnswers } from './check-answers.ts';
import { makeMemoryAuth } from './memory-auth.ts';
import { makeMemoryDeletions } from './memory-deletions.ts';

export const ORG_ID = '0196f000-0000-7000-8000-00000000000a' as OrgId;
export const USER_ID = '0196f000-0000-7000-8000-0000000000aa' as UserId;
export const API_KEY_ID = '0196f000-0000-7000-8000-0000000000cc' as ApiKeyId;
export const FILTER_ID = '0196f000-0000-7000-8000-0000000000f1' as FilterId;
export const FILTER_URL = `/api/v1/filters/${FILTER_ID}`;

export const TOKEN = 'a.good.token';
export const API_KEY = `fsk_${'k'.repeat(43)}`;
export const AS_USER = { Authorization: `Bearer ${TOKEN}` };
export const AS_KEY = { 'X-API-Key': API_KEY };

/** The id of requests that were sent without one. */
export const REQUEST_ID = 'generated-request-id';

/** The caller with the valid token. */
export const USER: Caller = aCaller({ userId: USER_ID, scope: orgScope(ORG_ID) });

/** The filter in the answers of every use case. */
export const FILTER: NamedFilter = {
  ...aSavedFilter({
    id: FILTER_ID,
    orgId: ORG_ID,
    name: 'Idle servers',
    createdBy: USER_ID,
    updatedAt: Date.UTC(2026, 1, 11, 9, 30, 15, 7),
    version: 3,
  }),
  creatorName: 'Sam Example',
};

/** {@link FILTER} as a response body. */
export const FILTER_BODY = {
  id: FILTER_ID,
  orgId: ORG_ID,
  partnerId: null,
  name: 'Idle servers',
  description: null,
  conditions: ONLINE_CONDITIONS,
  createdBy: USER_ID,
  creator: { id: USER_ID, name: 'Sam Example' },
  createdAt: '2026-02-10T08:00:00.000Z',
  updatedAt: '2026-02-11T09:30:15.007Z',
};

/** The filters as a list that can be read more than once. */
export function inPieces(...filters: readonly NamedFilter[]): AsyncIterable<NamedFilter> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* filters;
    },
  };
}

/** Mocks that answer with one filter or an empty preview. */
export function fakeFilterUseCases() {
  const preview = { totalCount: 0, devices: [], evaluatedAt: Date.UTC(2026, 1, 10, 8) };
  const explained = {
    evaluatedAt: preview.evaluatedAt,
    deviceCount: 0,
    totalCount: 0,
    sampledCount: null,
    nodes: [],
  };
  return {
    listFilters: vi.fn<FilterUseCases['listFilters']>(() => inPieces(FILTER)),
    createFilter: vi.fn<FilterUseCases['createFilter']>(async () => ok(FILTER)),
    readFilter: vi.fn<FilterUseCases['readFilter']>(async () => ok(FILTER)),
    updateFilter: vi.fn<FilterUseCases['updateFilter']>(async () => ok(FILTER)),
    deleteFilter: vi.fn<FilterUseCases['deleteFilter']>(async () => ok(FILTER)),
    listFilterVersions: vi.fn<FilterUseCases['listFilterVersions']>(async () => err(FILTER_NOT_FOUND)),
    readFilterImpact: vi.fn<FilterUseCases['readFilterImpact']>(async () => err(FILTER_NOT_FOUND)),
    restoreFilter: vi.fn<FilterUseCases['restoreFilter']>(async () => ok(FILTER)),
    previewConditions: vi.fn<FilterUseCases['previewConditions']>(async () => ok(preview)),
    previewFilter: vi.fn<FilterUseCases['previewFilter']>(async () => ok(preview)),
    explainConditions: vi.fn<FilterUseCases['explainConditions']>(async () => ok(explained)),
    explainFilter: vi.fn<FilterUseCases['explainFilter']>(async () => ok(explained)),
    listFields: vi.fn<FilterUseCases['listFields']>(async () => [...CORE_CATALOG.values()]),
    parseText: vi.fn<FilterUseCases['parseText']>(async () =>
      ok({ conditions: { operator: 'AND', conditions: [] }, q: 'status:online' }),
    ),
    formatText: vi.fn<FilterUseCases['formatText']>(async () => ok('status:online')),
    completeText: vi.fn<FilterUseCases['completeText']>(async () => ({ from: 0, to: 0, items: [] })),
    resolveFilter: vi.fn<FilterUseCases['resolveFilter']>(async () => err(FILTER_NOT_FOUND)),
  };
}

/** Use cases without any devices. */
const NO_DEVICES: HttpDeps['devices'] = {
  listDevices: async () =>
    ok({
      devices: [],
      values: [],
      columns: [],
      nextCursor: null,
      totalCount: 0,
      evaluatedAt: Date.UTC(2026, 1, 10, 8),
    }),
  readDevice: async () => err(DEVICE_NOT_FOUND),
  updateDevice: async () => err(DEVICE_NOT_FOUND),
  bulkChangeDevices: async () => err(DEVICE_NOT_FOUND),
  undoBulkChange: async () => err(DEVICE_NOT_FOUND),
  listDeviceFilters: async () => err(DEVICE_NOT_FOUND),
  deleteDevice: async () => err(DEVICE_NOT_FOUND),
  mergeDevices: async () => err(DEVICE_NOT_FOUND),
  listDuplicates: async () => ok({ groups: [], nextCursor: null }),
};

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly facts: object;
  readonly message: string;
}

export interface FakeHttp {
  readonly app: Hono<HttpEnv>;
  readonly filters: ReturnType<typeof fakeFilterUseCases>;
  /** A mock that finds nothing. */
  readonly search: Mock<SearchEverything>;
  readonly verifyAccessToken: Mock<HttpDeps['credentials']['verifyAccessToken']>;
  readonly verifyApiKey: Mock<HttpDeps['credentials']['verifyApiKey']>;
  /** What was logged, oldest first. */
  readonly lines: readonly LogLine[];
}

/** Cursors that are bound, but not signed. */
export const PLAIN_CURSORS: HttpDeps['cursors'] = {
  seal: (text, boundTo) => Buffer.from(JSON.stringify([text, boundTo])).toString('base64url'),
  open: (cursor, boundTo) => {
    const [text, bound] = JSON.parse(Buffer.from(cursor, 'base64url').toString() || '[]');
    return bound === boundTo ? text : null;
  },
};

/** The application with fakes: one valid token, one valid key, and a healthy service. */
export function fakeHttp(
  overrides: Partial<Omit<HttpDeps, 'filters' | 'search' | 'credentials' | 'log'>> = {},
): FakeHttp {
  const filters = fakeFilterUseCases();
  const search = vi.fn<SearchEverything>(async () => ok([]));
  const lines: LogLine[] = [];
  const note = (level: LogLine['level']) => (facts: object, message: string) => {
    lines.push({ level, facts, message });
  };
  const verifyAccessToken = vi.fn(async (token: string) => (token === TOKEN ? USER : null));
  const verifyApiKey = vi.fn(async (key: string) =>
    key === API_KEY ? { ...USER, credential: { kind: 'api-key', apiKeyId: API_KEY_ID } as const } : null,
  );
  const { deletions, readAuditLog, now: clock, backend } = makeMemoryDeletions();
  const app = createApp({
    cursors: PLAIN_CURSORS,
    filters,
    devices: NO_DEVICES,
    search,
    live: makeLiveUseCases({
      ...backend,
      clock,
      newId,
      cursors: PLAIN_CURSORS,
      secrets: randomSecrets,
      allowsPrivate: false,
    }),
    customFields: makeCustomFieldUseCases({ ...backend, clock, newId }),
    exportDevices: async () => err(FILTER_NOT_FOUND),
    fleet: makeFleetUseCases({ ...backend, clock, newId }),
    tenants: makeTenantUseCases({ ...backend, clock, newId, requireFreshMfa: () => null }),
    people: makePeopleUseCases({
      ...backend,
      ...{ clock, newId, secrets: randomSecrets, requireFreshMfa: () => null },
    }),
    identityProviders: makeIdentityProviderUseCases({
      ...backend,
      ...{ clock, newId, secrets: randomSecrets, requireFreshMfa: () => null },
      ...{ resolveTxt: async () => [], allowsPrivate: false },
    }),
    enrolment: makeEnrolmentUseCases({
      ...backend,
      ...{ clock, newId, secrets: randomSecrets },
      requireFreshMfa: () => null,
    }),
    reporters: { recognize: async () => null, confirm: async () => null },
    answerAgent: async () => ok({ kind: 'stored' }),
    takeInventory: async () => err(ORGANIZATION_NOT_FOUND),
    auth: makeMemoryAuth().auth,
    ...{ deletions, readAuditLog, clock },
    credentials: { verifyAccessToken, verifyApiKey },
    publicKeys: async () => ({ keys: [] }),
    version: '1.2.3',
    readiness: async () => ({ isReady: true, checks: { database: true }, watchedFilters: 'current' }),
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    newRequestId: () => REQUEST_ID,
    trustedProxies: [],
    isUnavailable: () => false,
    ...overrides,
  });
  return {
    app: checkAnswers(app, { hasStandIns: true }),
    filters,
    search,
    verifyAccessToken,
    verifyApiKey,
    lines,
  };
}

/** A request of {@link USER} with a JSON body. */
export function withJson(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method,
    headers: { ...AS_USER, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** The expected problem document. */
export function aProblem(code: string, status: number, title: string, detail: string, errors?: object[]) {
  return {
    type: `urn:fleetsift:problem:${code}`,
    title,
    status,
    detail,
    message: detail,
    code,
    requestId: REQUEST_ID,
    ...(errors !== undefined && { errors }),
  };
}

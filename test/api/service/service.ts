/** The whole service with its own store, as a client sees it. */
import type { Composition, Overrides } from 'fleetsift';
import { inject } from 'vitest';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { type Answer, askApp } from './ask-app.ts';
import type { Probe } from './probe.ts';
import { type BackendKind, openStore, type PostgresStore, type Store } from './store.ts';
import { type KeyName, makeTenants, type Tenants, type UserName } from './tenants.ts';

/** Replaces the hashing of passwords, which would take longer than the tests. */
const NO_HASH = async () => '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$bm8taGFzaA';

export type { Answer } from './ask-app.ts';

export interface FilterBody {
  readonly id: string;
  readonly orgId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly conditions: unknown;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PreviewBody {
  readonly totalCount: number;
  readonly devices: readonly { readonly id: string; readonly hostname: string }[];
  readonly evaluatedAt: string;
}

export interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** Sends a request as a caller. A body that is no string is sent as JSON. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

export interface TestService {
  readonly composition: Composition;
  readonly store: Store;
  /** Reads and changes data beside the API; see `databaseOf` for what only PostgreSQL has. */
  readonly probe: Probe;
  readonly tenants: Tenants;
  /** The header with the credential of a caller; none for `none`. */
  credentialOf(name: UserName | KeyName | 'none'): Promise<Readonly<Record<string, string>>>;
  issueToken(userId: UserId): Promise<string>;
  as(name: UserName | KeyName | 'none'): Ask;
  /** Sends a request as the user with this id, who need not belong to `tenants`. */
  asUser(userId: UserId): Ask;
  /** A new organization with these devices, and its user. */
  inNewOrg(devices: (orgId: OrgId) => readonly FleetRecord[]): Promise<NewOrg>;
  close(): Promise<void>;
}

export interface NewOrg extends Tenant {
  readonly ask: Ask;
  /** The hostnames of the devices that match one condition, or a group, by an ad-hoc preview. */
  find(condition: object): Promise<readonly string[]>;
  preview(condition: object): Promise<Answer>;
}

export interface ServiceOptions {
  /** Default: the backend of the Vitest project. */
  readonly backend?: BackendKind;
  readonly filterTimeoutMs?: number;
  readonly searchTimeoutMs?: number;
  readonly outboundPrivate?: boolean;
  readonly baseUrl?: string | null;
  readonly overrides?: Overrides;
}

/** Starts the service and loads the tenants. */
export async function startService({
  backend = inject('backend'),
  filterTimeoutMs = 10_000,
  searchTimeoutMs = 10_000,
  outboundPrivate = false,
  baseUrl = null,
  overrides = {},
}: ServiceOptions = {}): Promise<TestService> {
  const store = await openStore(backend);
  const composition = await store.compose(
    { filterTimeoutMs, searchTimeoutMs, outboundPrivate, baseUrl },
    { hashPassword: NO_HASH, ...overrides },
  );
  const tenants = makeTenants();
  await loadFleet(composition.backend, tenants.records);
  await store.probe.changeUser(tenants.users.disabled.id, { status: 'disabled' });
  const issue = makeIssueAccessToken({
    keys: composition.tokenKeys,
    clock: composition.clock,
    newId: composition.newId,
    lifetimeMs: composition.tokenKeys.tokenLifetimeMs,
  });
  const issueToken = async (userId: UserId) =>
    (await issue({ userId, sessionId: composition.newId(), authEpoch: 1 })).token;
  const credentialOf = async (
    name: UserName | KeyName | 'none',
  ): Promise<Readonly<Record<string, string>>> => {
    if (name === 'none') return {};
    if (name in tenants.keys) return { 'X-API-Key': tenants.keys[name as KeyName].key };
    return { Authorization: `Bearer ${await issueToken(tenants.users[name as UserName].id)}` };
  };
  const asUser =
    (userId: UserId): Ask =>
    async (method, path, body, headers) =>
      askApp(composition, method, path, body, {
        Authorization: `Bearer ${await issueToken(userId)}`,
        ...headers,
      });
  return {
    composition,
    store,
    probe: store.probe,
    tenants,
    credentialOf,
    issueToken,
    as: (name) => async (method, path, body, headers) =>
      askApp(composition, method, path, body, { ...(await credentialOf(name)), ...headers }),
    asUser,
    inNewOrg: async (devices) => {
      const tenant = await createTenant(composition.backend);
      await loadFleet(composition.backend, devices(tenant.orgId));
      const askAs = asUser(tenant.userId);
      const preview = (condition: object) =>
        askAs('POST', PREVIEW, {
          conditions: 'conditions' in condition ? condition : { operator: 'AND', conditions: [condition] },
          limit: 100,
        });
      return {
        ...tenant,
        ask: askAs,
        preview,
        find: async (condition) => hostnamesOf(await preview(condition)),
      };
    },
    close: async () => {
      await composition.close();
      await store.close();
    },
  };
}

export function filterOf({ status, text, body }: Answer): FilterBody {
  if (status !== 200 && status !== 201) throw new Error(`no filter was answered: ${status} ${text}`);
  return body as FilterBody;
}

export function listOf({ status, text, body }: Answer): {
  readonly data: readonly FilterBody[];
  readonly total: number;
} {
  if (status !== 200) throw new Error(`no list was answered: ${status} ${text}`);
  return body as { data: readonly FilterBody[]; total: number };
}

export function previewOf({ status, text, body }: Answer): PreviewBody {
  if (status !== 200) throw new Error(`no preview was answered: ${status} ${text}`);
  return (body as { data: PreviewBody }).data;
}

export function hostnamesOf(answer: Answer): readonly string[] {
  return previewOf(answer).devices.map(({ hostname }) => hostname);
}

export function problemOf({ status, text, body }: Answer): ProblemBody {
  if (status < 400) throw new Error(`no problem was answered: ${status} ${text}`);
  return body as ProblemBody;
}

/** Status, code, and the path and code of each fault. */
export function refusalOf(answer: Answer): readonly [number, string, ...(readonly [string, string])[]] {
  const { status, code, errors = [] } = problemOf(answer);
  return [status, code, ...errors.map((error) => [error.path, error.code] as const)];
}

export const FILTERS = '/api/v1/filters';
export const PREVIEW = '/api/v1/filters/preview';
export const SEARCH = '/api/v1/search';

/** Everything that a refused request must not change. */
export async function tracesOf({ probe }: Pick<TestService, 'probe'>): Promise<unknown> {
  return { filters: await probe.filters(), entries: (await probe.auditEntries()).length };
}

/** The database of a suite that is about PostgreSQL. */
export function databaseOf({ store }: Pick<TestService, 'store'>): Pick<PostgresStore, 'owner' | 'url'> {
  if (store.kind !== 'postgres') throw new Error(`the service runs on ${store.kind}`);
  return store;
}

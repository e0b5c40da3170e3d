/**
 * Every route answers once on each backend, because `npm test` leaves out slow tests and could miss a route
 * on PostgreSQL. The tests of each area check what the answers contain.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import { basic } from '#test/api/inventory/agents.ts';
import {
  type AuthService,
  type EnrolledUser,
  startAuthService,
  type Tokens,
} from '#test/api/service/auth-service.ts';
import { makeAuthenticator } from '#test/support/auth/soft-authenticator.ts';
import { aDevice, anAlert, anIdentityProvider, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

interface Sent {
  /** Replaces `:id` in the path. */
  readonly id?: string | undefined;
  /** Replace further ids in the path, by name. */
  readonly other?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** Default: the administrator's access token. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The members of all answers that these tests pass on. */
interface Received {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
  readonly operationId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly data: readonly { readonly id: string; readonly current: boolean }[];
  readonly cookie: string;
}

let service: AuthService;
let tenant: Tenant;
let admin: EnrolledUser;
let tokens: Tokens;

const till = (orgId: Tenant['orgId']) => aDevice({ orgId, hostname: 'till-7', status: 'online' });
let device: ReturnType<typeof till>;
let alert: ReturnType<typeof anAlert>;

/** By method and path, as the table of operations has them. */
const answered = new Set<string>();

beforeAll(async () => {
  service = await startAuthService();
  tenant = await createTenant(service.composition.backend);
  device = till(tenant.orgId);
  alert = anAlert({ orgId: tenant.orgId });
  await loadFleet(service.composition.backend, [device, alert]);
  admin = await addAdministrator();
  tokens = await service.signInWithMfa(admin);
});

afterAll(() => service.close());

const addAdministrator = () =>
  service.addEnrolledUser({
    membership: { scope: 'organization', orgId: tenant.orgId },
    permissions: ['users:write', 'devices:write'],
  });

const bearer = ({ accessToken }: Pick<Tokens, 'accessToken'>) => ({ Authorization: `Bearer ${accessToken}` });

async function ask(
  route: string,
  { id = '', other = {}, query = '', body, headers }: Sent = {},
): Promise<Received> {
  const [method = '', path = ''] = route.split(' ');
  const sent = headers ?? bearer(tokens);
  const filled = path.replace(/:(\w+)/g, (_, name) => (name === 'id' ? id : (other[name] ?? '')));
  const answer = await service.as('none')(method, filled + query, body, sent);
  expect(answer.status, `${route}: ${answer.text}`).toBeLessThan(400);
  answered.add(route);
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return { ...(answer.body as Received), cookie };
}

test('the routes of filters answer', async () => {
  const body = { name: 'Online', orgId: tenant.orgId, conditions: ONLINE_CONDITIONS };
  const { id } = await ask('POST /api/v1/filters', { body });
  await ask('GET /api/v1/filters');
  await ask('GET /api/v1/filters/:id', { id });
  await ask('PATCH /api/v1/filters/:id', { id, body: { name: 'Reachable' } });
  await ask('POST /api/v1/filters/:id/impact', { id, body: { q: 'os:linux' } });
  await ask('GET /api/v1/filters/:id/versions', { id });
  await ask('POST /api/v1/filters/:id/restore', { id, body: { version: 1 } });
  await ask('POST /api/v1/filters/preview', { body: { conditions: ONLINE_CONDITIONS } });
  await ask('POST /api/v1/filters/:id/preview', { id });
  await ask('POST /api/v1/filters/explain', { body: { conditions: ONLINE_CONDITIONS } });
  await ask('POST /api/v1/filters/:id/explain', { id });
  await ask('GET /api/v1/filters/fields');
  await ask('GET /api/v1/filters/parse', { query: '?q=status:online' });
  await ask('POST /api/v1/filters/parse', { body: { q: 'status:online' } });
  await ask('POST /api/v1/filters/format', { body: { conditions: ONLINE_CONDITIONS } });
  await ask('GET /api/v1/filters/complete', { query: '?q=host:&at=5' });
  await ask('GET /api/v1/devices/:id/filters', { id: device.id });
  await ask('DELETE /api/v1/filters/:id', { id });
});

test('the routes of subscriptions answer', async () => {
  const { backend, clock } = service.composition;
  const conditions = ONLINE_CONDITIONS;
  const { id: filterId } = await ask('POST /api/v1/filters', {
    body: { name: 'Watched', orgId: tenant.orgId, conditions },
  });
  const body = { filterId, name: 'Ring 1', kind: 'feed' };
  const { id } = await ask('POST /api/v1/subscriptions', { body });
  await makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock })(
    tenant.partnerId,
  );
  await ask('GET /api/v1/subscriptions');
  await ask('GET /api/v1/subscriptions/:id', { id });
  await ask('GET /api/v1/subscriptions/:id/members', { id });
  await ask('GET /api/v1/subscriptions/:id/changes', { id });
  await ask('GET /api/v1/filters/:id/history', { id: filterId });
  const hook = { filterId, name: 'Engine', kind: 'webhook', url: 'https://hooks.example' };
  const { id: hookId } = await ask('POST /api/v1/subscriptions', { body: hook });
  await ask('POST /api/v1/subscriptions/:id/resume', { id: hookId });
  await ask('POST /api/v1/subscriptions/:id/secret', { id: hookId });
  const { id: deliveryId } = await ask('POST /api/v1/subscriptions/:id/test', { id: hookId });
  await ask('GET /api/v1/subscriptions/:id/deliveries', { id: hookId });
  await ask('POST /api/v1/subscriptions/:id/deliveries/:deliveryId/redeliver', {
    id: hookId,
    other: { deliveryId },
  });
  await ask('PATCH /api/v1/subscriptions/:id', { id, body: { state: 'paused' } });
  await ask('DELETE /api/v1/subscriptions/:id', { id });
});

test('the routes of devices, custom fields and lists answer', async () => {
  const { id } = await ask('POST /api/v1/custom-fields', {
    body: { orgId: tenant.orgId, key: 'rack', name: 'Rack', type: 'text' },
  });
  await ask('GET /api/v1/custom-fields');
  await ask('PATCH /api/v1/custom-fields/:id', { id, body: { name: 'Shelf' } });
  await ask('PATCH /api/v1/devices/:id', {
    id: device.id,
    body: { tags: ['vip'], custom: { rack: 'B 12' } },
  });
  await ask('GET /api/v1/devices/:id', { id: device.id });
  await ask('DELETE /api/v1/custom-fields/:id', { id });
  await ask('GET /api/v1/devices', { query: '?sort=-lastSeenAt' });
  await ask('POST /api/v1/devices/query', { body: { conditions: ONLINE_CONDITIONS } });
  await ask('POST /api/v1/devices/export', { body: { format: 'csv' } });
  const { operationId } = await ask('POST /api/v1/devices/bulk', {
    body: { ids: [device.id], expectedCount: 1, change: { addTags: ['counted'] } },
  });
  await ask('POST /api/v1/devices/bulk/:id/undo', { id: operationId });
  await ask('GET /api/v1/devices/duplicates');
  await ask('GET /api/v1/search', { query: '?q=till' });
  for (const list of ['organizations', 'sites', 'alerts', 'scripts', 'patches', 'summary']) {
    await ask(`GET /api/v1/${list}`);
  }
  await ask('GET /api/v1/alerts/:id', { id: alert.id });
  await ask('PATCH /api/v1/alerts/:id', { id: alert.id, body: { status: 'resolved' } });
});

test('the routes of people answer', async () => {
  const { data } = await ask('GET /api/v1/users');
  await ask('GET /api/v1/users/:id', { id: data[0]?.id });
  const enrolled = await addAdministrator();
  const { id } = enrolled.user;
  await ask('PATCH /api/v1/users/:id', { id, body: { name: 'Ada' } });
  const own = { headers: bearer(await service.signInWithMfa(enrolled)) };
  for (const name of ['One', 'Two']) await ask('POST /api/v1/auth/api-keys', { body: { name }, ...own });
  await service.signInWithMfa(enrolled);
  // Each code moved the clock on, so the administrator signs in again.
  tokens = await service.signInWithMfa(admin);
  const sessions = await ask('GET /api/v1/users/:id/sessions', { id });
  const keys = await ask('GET /api/v1/users/:id/api-keys', { id });
  const other = { sessionId: sessions.data[0]?.id ?? '', keyId: keys.data[0]?.id ?? '' };
  await ask('DELETE /api/v1/users/:id/sessions/:sessionId', { id, other });
  await ask('DELETE /api/v1/users/:id/sessions', { id });
  await ask('DELETE /api/v1/users/:id/api-keys/:keyId', { id, other });
  await ask('DELETE /api/v1/users/:id/api-keys', { id });
  await ask('POST /api/v1/users/:id/mfa-reset', { id });
});

test('the routes of invitations and password resets answer', async () => {
  const { backend } = service.composition;
  const none = { headers: {} };
  const invited = { ...admin.user, id: service.composition.newId<'user'>(), email: 'invited@example.com' };
  const token = `fsl_${'x'.repeat(43)}`;
  await backend.unitOfWork({ kind: 'system' }, async (tx) => {
    await tx.links.invite(invited, service.now());
    const tokenSha256 = digestSecret(token);
    await tx.links.addLink({ purpose: 'invitation', userId: invited.id, tokenSha256, at: service.now() });
  });
  await ask('POST /api/v1/auth/invitation', { ...none, body: { token } });
  await ask('POST /api/v1/auth/invitation/accept', { ...none, body: { token, password: 'long enough' } });
  await ask('GET /api/v1/auth/first-run', none);
  const { id } = await ask('POST /api/v1/users', {
    body: { email: 'new@example.com', name: 'New', orgId: tenant.orgId },
  });
  await ask('POST /api/v1/users/:id/invitation', { id });
  await ask('DELETE /api/v1/users/:id', { id });
  await takeMails(service.composition);
  await ask('POST /api/v1/auth/password-reset', { ...none, body: { email: invited.email } });
  const [mail] = await takeMails(service.composition);
  await ask('POST /api/v1/auth/password-reset/confirm', {
    ...none,
    body: { token: tokenIn(mail, 'reset-password'), newPassword: 'another one' },
  });
});

test('the routes of tenants and identity providers answer', async () => {
  const enrolled = await service.addEnrolledUser({ permissions: ['users:write'] });
  const sent = { headers: bearer(await service.signInWithMfa(enrolled)) };
  const { id: partnerId } = await ask('POST /api/v1/partners', { body: { name: 'Fjord IT' }, ...sent });
  await ask('GET /api/v1/partners', sent);
  await ask('PATCH /api/v1/partners/:id', { id: partnerId, body: { name: 'Fjord' }, ...sent });
  const { id: providerId } = await ask('POST /api/v1/identity-providers', {
    body: {
      ...{ partnerId, name: 'Entra', issuer: 'https://id.fjord.example', clientId: 'a', clientSecret: 'b' },
      domains: [{ domain: 'fjord.example' }],
    },
    ...sent,
  });
  await ask('GET /api/v1/identity-providers', sent);
  await ask('GET /api/v1/identity-providers/:id', { id: providerId, ...sent });
  await ask('PATCH /api/v1/identity-providers/:id', { id: providerId, body: { trustMfa: true }, ...sent });
  const verified = [{ domain: 'fjord.example', verified: true }];
  await ask('PATCH /api/v1/identity-providers/:id', { id: providerId, body: { domains: verified }, ...sent });
  await ask('POST /api/v1/identity-providers/:id/domains/verify', { id: providerId, ...sent });
  await ask('DELETE /api/v1/identity-providers/:id', { id: providerId, ...sent });
  const directory = anIdentityProvider({ owner: { kind: 'organization', orgId: tenant.orgId } });
  await service.composition.backend.unitOfWork({ kind: 'system' }, async ({ identityProviders }) => {
    await identityProviders.add(directory, 'secret');
    await identityProviders.link({
      ...{ providerId: directory.id, subject: 'admin', userId: admin.user.id, isMade: false },
      ...{ createdAt: service.now(), lastSignInAt: null },
    });
  });
  await ask('GET /api/v1/auth/identity-providers');
  await ask('DELETE /api/v1/auth/identity-providers/:id', { id: directory.id });
  await ask('GET /api/v1/auth/oidc/start', { query: '?email=nobody@nowhere.example', headers: {} });
  await ask('GET /api/v1/auth/oidc/callback', { headers: {} });
  await ask('GET /api/v1/auth/oidc/callback/:id', { id: directory.id, headers: {} });
  const body = { name: 'Varhaug', partnerId };
  const { id: orgId } = await ask('POST /api/v1/organizations', { body, ...sent });
  await ask('PATCH /api/v1/organizations/:id', { id: orgId, body: { name: 'Varhaug AS' }, ...sent });
  const { id } = await ask('POST /api/v1/sites', { body: { name: 'Quay', orgId }, ...sent });
  await ask('PATCH /api/v1/sites/:id', { id, body: { name: 'Pier' }, ...sent });
  await ask('DELETE /api/v1/sites/:id', { id, ...sent });
  await ask('DELETE /api/v1/organizations/:id', { id: orgId, ...sent });
  // The code moved the clock on, so the administrator signs in again.
  tokens = await service.signInWithMfa(admin);
});

test('the routes that merge and delete a device answer', async () => {
  const [kept, gone] = [aDevice({ orgId: tenant.orgId }), aDevice({ orgId: tenant.orgId })];
  await loadFleet(service.composition.backend, [kept, gone]);
  await ask('POST /api/v1/devices/:id/merge', { id: kept.id, body: { deviceId: gone.id } });
  await ask('DELETE /api/v1/devices/:id', { id: kept.id });
});

test('the routes of inventories and enrolment keys answer', async () => {
  const { id, key } = await ask('POST /api/v1/enrolment-keys', {
    body: { orgId: tenant.orgId, name: 'Laptops' },
  });
  await ask('GET /api/v1/enrolment-keys');
  const inventory = (deviceid: string) => ({
    ...{ action: 'inventory', deviceid, itemtype: 'Computer' },
    content: { hardware: { name: deviceid }, versionclient: 'GLPI-Agent_v1.11' },
  });
  const headers = { Authorization: basic(key), 'Content-Type': 'application/json' };
  await ask('POST /inventory', { body: inventory('reported'), headers });
  await ask('GET /inventory', { query: '?action=getConfig', headers });
  await ask('POST /api/v1/inventory', { query: `?orgId=${tenant.orgId}`, body: inventory('sent') });
  await ask('DELETE /api/v1/enrolment-keys/:id', { id });
});

test('the routes of sessions and API keys answer', async () => {
  const { email, password } = await service.addUser();
  const signIn = () => ask('POST /api/v1/auth/login', { body: { email, password }, headers: {} });
  const { refreshToken } = await signIn();
  const first = await ask('POST /api/v1/auth/refresh', { body: { refreshToken }, headers: {} });
  await ask('POST /api/v1/auth/logout', { body: { refreshToken: first.refreshToken }, headers: {} });

  const browser = await ask('POST /api/v1/auth/session', { body: { email, password }, headers: {} });
  const headers = bearer(browser);
  await ask('GET /api/v1/auth/me', { headers });
  await signIn();
  const { data } = await ask('GET /api/v1/auth/sessions', { headers });
  const other = data.find(({ current }) => !current);
  await ask('DELETE /api/v1/auth/sessions/:id', { id: other?.id, headers });
  await ask('DELETE /api/v1/auth/sessions', { headers });
  const next = await ask('POST /api/v1/auth/session/refresh', { headers: { Cookie: browser.cookie } });
  const change = { currentPassword: password, newPassword: 'another long password' };
  await ask('POST /api/v1/auth/password', { body: change, headers: bearer(next) });
  await ask('DELETE /api/v1/auth/session', { headers: { Cookie: next.cookie } });

  const { id } = await ask('POST /api/v1/auth/api-keys', { body: { name: 'Reports' } });
  await ask('GET /api/v1/auth/api-keys');
  await ask('DELETE /api/v1/auth/api-keys/:id', { id });
});

test('the routes of the second factor answer', async () => {
  const user = await service.addUser();
  const headers = bearer(await service.signIn(user));
  const { secret } = await ask('POST /api/v1/auth/mfa/enroll', {
    body: { password: user.password },
    headers,
  });
  const code = () => ({ code: service.nextCode(secret) });
  await ask('POST /api/v1/auth/mfa/enroll/confirm', { body: code(), headers });
  const stepped = await ask('POST /api/v1/auth/mfa/challenge', { body: code(), headers });
  await ask('POST /api/v1/auth/mfa/recovery-codes', { headers: bearer(stepped) });
});

test('the routes of passkeys answer', async () => {
  const user = await service.addUser();
  const { password } = user;
  const headers = bearer(await service.signIn(user));
  const authenticator = makeAuthenticator('http://localhost');
  const options = await ask('POST /api/v1/auth/passkeys/options', { body: { password }, headers });
  const response = authenticator.create({ ...options });
  await ask('POST /api/v1/auth/passkeys', { body: { response, name: 'Laptop' }, headers });
  const offer = await ask('POST /api/v1/auth/passkey/options', { headers: {} });
  const passkey = authenticator.get({ ...offer });
  const again = bearer(await ask('POST /api/v1/auth/login', { body: { passkey }, headers: {} }));
  const { data } = await ask('GET /api/v1/auth/passkeys', { headers: again });
  await ask('DELETE /api/v1/auth/passkeys/:id', { id: data[0]?.id, headers: again });
});

test('the routes of account deletion and the audit log answer', async () => {
  const leaver = await addAdministrator();
  const { password } = leaver.user;
  const headers = bearer(await service.signInWithMfa(leaver));
  const own = '/api/v1/auth/account-deletion-request';
  const withdrawn = await ask(`POST ${own}`, { body: { password }, headers });
  await ask(`PATCH ${own}/:id`, { id: withdrawn.id, body: { status: 'cancelled' }, headers });
  const { id } = await ask(`POST ${own}`, { body: { password }, headers });
  await ask(`GET ${own}`, { headers });
  tokens = await service.signInWithMfa(admin);
  const requests = '/api/v1/admin/account-deletion-requests';
  await ask(`GET ${requests}`);
  await ask(`GET ${requests}/pending-count`);
  await ask(`GET ${requests}/:id`, { id });
  await ask(`POST ${requests}/:id/process`, { id, body: { action: 'approve' } });
  await ask('GET /api/v1/admin/audit-log');
});

test('the routes of the service itself answer', async () => {
  for (const path of ['/healthz', '/readyz', '/.well-known/jwks.json', '/api/v1/openapi.json', '/docs']) {
    await ask(`GET ${path}`, { headers: {} });
  }
});

test('no route is left out', () => {
  expect([...answered].toSorted()).toStrictEqual(Object.keys(OPERATIONS).toSorted());
});

/** A partner in maintenance: their data can be read, and no route, command or worker changes it. */
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import { connectionConfig } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { FilterRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId, UserId } from '#domain/ids.ts';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import { addReporter, type Reporter } from '#test/api/inventory/agents.ts';
import {
  type AuthService,
  type EnrolledUser,
  startAuthService,
  type Tokens,
} from '#test/api/service/auth-service.ts';
import { type Answer, databaseOf } from '#test/api/service/service.ts';
import { makeAuthenticator } from '#test/support/auth/soft-authenticator.ts';
import {
  aCustomField,
  aDelivery,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anAuditEntry,
  anIdentityProvider,
  anOrganization,
  aPasskey,
  aSession,
  aSite,
  aSubscription,
  aUser,
  located,
  newId,
  ONLINE_CONDITIONS,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { dump } from '#test/support/database/dumps.ts';
import { audibleFrom } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const API = '/api/v1';
const entry = () => anAuditEntry({ action: 'partner.maintenance_began', resourceType: 'partner' });
const NOBODY_WAITS = () => undefined;

let service: AuthService;
let tools: DatabaseTools;
let tenant: Tenant;
let admin: EnrolledUser;
let tokens: Readonly<Record<'admin' | 'starter' | 'withdrawer' | 'newcomer', Tokens>>;
let reporter: Reporter;
let requests: { readonly own: string; readonly others: string };

const fleet = {
  filters: [] as FilterRecord[],
  alert: '',
  device: '' as DeviceId,
  /** One is merged, and one is deleted. */
  others: [] as DeviceId[],
  fields: [] as string[],
  subscriptions: [] as string[],
  webhook: '',
  delivery: '',
  /** The id of a bulk change. */
  operation: '',
  apiKey: '',
  passkey: '',
  providers: [] as string[],
  /** The secret of a factor that is not confirmed. */
  secret: '',
};

/** What administrators change. */
const people = {
  ...{ boss: '' as UserId, system: '' as UserId, other: '' as UserId, enrolled: '', key: '', session: '' },
  /** Invited, each for one route. */
  invited: [] as string[],
  invitation: '',
  reset: '',
  emptyOrg: '',
  sites: [] as string[],
};

beforeAll(async () => {
  service = await startAuthService({ requireFreshMfa: () => null });
  const { databaseTools, backend } = service.composition;
  if (databaseTools === null) throw new Error('the service has no database');
  tools = databaseTools;
  tenant = await createTenant(backend);
  const { orgId } = tenant;
  const membership = { scope: 'organization', orgId } as const;
  const permissions = ['users:write', 'devices:write'];
  admin = await service.addEnrolledUser({ membership, permissions });
  const add = () => service.addUser({ membership, permissions });
  const [starter, withdrawer, newcomer, leaver] = [await add(), await add(), await add(), await add()];
  fleet.filters = [1, 2].map(() => aFilter({ orgId, createdBy: admin.user.id }));
  const [device, ...others] = [aDevice({ orgId }), aDevice({ orgId }), aDevice({ orgId })] as const;
  const fields = ['a', 'b'].map((key) => aCustomField({ owner: { kind: 'organization', orgId }, key }));
  const key = anApiKey({ userId: admin.user.id });
  const alert = anAlert({ orgId, deviceId: device.id });
  await loadFleet(
    backend,
    fleet.filters.map((filter) => ({ ...filter, name: 'First' })),
  );
  await loadFleet(backend, [...fleet.filters, device, ...others, ...fields, key, alert]);
  fleet.others = others.map(({ id }) => id);
  Object.assign(fleet, {
    alert: alert.id,
    device: device.id,
    fields: fields.map(({ id }) => id),
    apiKey: key.id,
  });
  const webhook = aSubscription({ orgId, filterId: fleet.filters[0]?.id as FilterId, kind: 'webhook' });
  const delivery = aDelivery({ subscriptionId: webhook.id });
  const subscriptions = [1, 2].map(() =>
    aSubscription({ orgId, filterId: fleet.filters[0]?.id as FilterId }),
  );
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const each of subscriptions) await tx.subscriptions.add(each);
    await tx.subscriptions.add(webhook);
    await tx.webhooks.add(delivery);
  });
  fleet.webhook = webhook.id;
  fleet.delivery = delivery.id;
  fleet.subscriptions = subscriptions.map(({ id }) => id);
  const passkey = aPasskey({ userId: admin.user.id });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.passkeys.add(passkey));
  fleet.passkey = passkey.id;
  const providers = [0, 1].map(() =>
    anIdentityProvider({
      owner: { kind: 'organization', orgId },
      domains: [{ domain: `${newId()}.example`, isVerified: true }],
    }),
  );
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const provider of providers) await tx.identityProviders.add(provider, 'secret');
    for (const { id: providerId } of providers.slice(0, 1)) {
      await tx.identityProviders.link({
        ...{ providerId, subject: 'admin', userId: admin.user.id, isMade: false },
        ...{ createdAt: SOME_INSTANT, lastSignInAt: null },
      });
    }
  });
  fleet.providers = providers.map(({ id }) => id);
  reporter = await addReporter(service, { orgId });
  tokens = {
    admin: await service.signInWithMfa(admin),
    starter: await service.signIn(starter),
    withdrawer: await service.signIn(withdrawer),
    newcomer: await service.signIn(newcomer),
  };
  const ids = [device.id];
  const change = { custom: { a: 'before' } };
  const changed = await service.ask(
    ...([
      'POST',
      `${API}/devices/bulk`,
      { ids, expectedCount: 1, change },
      tokens.admin.accessToken,
    ] as const),
  );
  fleet.operation = (changed.body as { readonly operationId: string }).operationId;
  const begun = await service.ask(
    ...([
      'POST',
      `${API}/auth/mfa/enroll`,
      { password: starter.password },
      tokens.starter.accessToken,
    ] as const),
  );
  fleet.secret = (begun.body as { readonly secret: string }).secret;
  const ask = async (token: string, password: string) => {
    const asked = await service.ask('POST', `${API}/auth/account-deletion-request`, { password }, token);
    return (asked.body as { readonly id: string }).id;
  };
  requests = {
    own: await ask(tokens.withdrawer.accessToken, withdrawer.password),
    others: await ask((await service.signIn(leaver)).accessToken, leaver.password),
  };
});

beforeAll(async () => {
  const { backend } = service.composition;
  const { partnerId, orgId } = tenant;
  const permissions = ['users:write', 'devices:write'];
  const boss = await service.addUser({
    membership: { scope: 'partner', partnerId, orgIds: null },
    permissions,
  });
  const system = await service.addUser({ membership: { scope: 'system' }, permissions });
  const other = await service.addUser({ membership: { scope: 'organization', orgId } });
  const enrolled = await service.addEnrolledUser({ membership: { scope: 'organization', orgId } });
  const empty = anOrganization({ partnerId });
  const sites = ['Old', 'Older'].map((name) => aSite({ orgId, name }));
  const keys = [anApiKey({ userId: other.id }), anApiKey({ userId: other.id })];
  await loadFleet(backend, [empty, ...sites, ...keys]);
  const session = aSession({ userId: other.id });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.sessions.add(session, 'a session of another'));
  Object.assign(people, {
    ...{
      boss: boss.id,
      system: system.id,
      other: other.id,
      enrolled: enrolled.user.id,
      key: keys[0]?.id,
      session: session.id,
    },
    ...{ emptyOrg: empty.id, sites: sites.map(({ id }) => id) },
  });
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    const answer = await asBoss('POST', '/users', { email, name: 'Invited', orgId })();
    people.invited.push((answer.body as { id: string }).id);
  }
  await service.askFrom('198.51.100.9', `${API}/auth/password-reset`, { email: other.email });
  for (const mail of await takeMails(service.composition)) {
    if (mail.kind === 'invitation') people.invitation = tokenIn(mail, 'invitation');
    if (mail.kind === 'password-reset-link') people.reset = tokenIn(mail, 'reset-password');
  }
});

afterAll(() => service.close());

const asBoss = (method: string, path: string, body?: unknown) => () =>
  service.asUser(people.boss)(method, `${API}${path}`, body);

const asAdmin = (method: string, path: string, body?: unknown) => () =>
  service.ask(method, `${API}${path}`, body, tokens.admin.accessToken);

const document = (deviceid: string) => ({
  ...{ action: 'inventory', deviceid, itemtype: 'Computer' },
  content: { hardware: { name: deviceid }, versionclient: 'GLPI-Agent_v1.11' },
});

/** A valid request to each route that changes data of the partner. */
const CHANGES: Readonly<Record<string, () => Promise<Answer>>> = {
  'POST /api/v1/filters': () =>
    asAdmin('POST', '/filters', { name: 'New', orgId: tenant.orgId, conditions: ONLINE_CONDITIONS })(),
  'PATCH /api/v1/filters/:id': () =>
    asAdmin('PATCH', `/filters/${fleet.filters[0]?.id}`, { name: 'Other' })(),
  'POST /api/v1/filters/:id/restore': () =>
    asAdmin('POST', `/filters/${fleet.filters[0]?.id}/restore`, { version: 1 })(),
  'DELETE /api/v1/filters/:id': () => asAdmin('DELETE', `/filters/${fleet.filters[1]?.id}`)(),
  'POST /api/v1/subscriptions': () =>
    asAdmin('POST', '/subscriptions', { filterId: fleet.filters[0]?.id, name: 'New', kind: 'feed' })(),
  'PATCH /api/v1/subscriptions/:id': () =>
    asAdmin('PATCH', `/subscriptions/${fleet.subscriptions[0]}`, { name: 'Other' })(),
  'POST /api/v1/subscriptions/:id/resume': () => asAdmin('POST', `/subscriptions/${fleet.webhook}/resume`)(),
  'POST /api/v1/subscriptions/:id/secret': () => asAdmin('POST', `/subscriptions/${fleet.webhook}/secret`)(),
  'POST /api/v1/subscriptions/:id/test': () => asAdmin('POST', `/subscriptions/${fleet.webhook}/test`)(),
  'POST /api/v1/subscriptions/:id/deliveries/:deliveryId/redeliver': () =>
    asAdmin('POST', `/subscriptions/${fleet.webhook}/deliveries/${fleet.delivery}/redeliver`)(),
  'DELETE /api/v1/subscriptions/:id': () => asAdmin('DELETE', `/subscriptions/${fleet.subscriptions[1]}`)(),
  'PATCH /api/v1/devices/:id': () => asAdmin('PATCH', `/devices/${fleet.device}`, { tags: ['new'] })(),
  'POST /api/v1/devices/bulk': () =>
    asAdmin('POST', '/devices/bulk', {
      ...{ ids: [fleet.device], expectedCount: 1, change: { status: 'maintenance' } },
    })(),
  'POST /api/v1/devices/bulk/:id/undo': () => asAdmin('POST', `/devices/bulk/${fleet.operation}/undo`)(),
  'PATCH /api/v1/alerts/:id': () => asAdmin('PATCH', `/alerts/${fleet.alert}`, { status: 'resolved' })(),
  'POST /api/v1/devices/:id/merge': () =>
    asAdmin('POST', `/devices/${fleet.device}/merge`, { deviceId: fleet.others[0] })(),
  'DELETE /api/v1/devices/:id': () => asAdmin('DELETE', `/devices/${fleet.others[1]}`)(),
  'POST /inventory': () => reporter.report(document('reported')),
  'POST /api/v1/inventory': () => asAdmin('POST', `/inventory?orgId=${tenant.orgId}`, document('sent'))(),
  'POST /api/v1/enrolment-keys': () =>
    asAdmin('POST', '/enrolment-keys', { orgId: tenant.orgId, name: 'New' })(),
  'DELETE /api/v1/enrolment-keys/:id': () => asAdmin('DELETE', `/enrolment-keys/${reporter.keyId}`)(),
  'POST /api/v1/custom-fields': () =>
    asAdmin('POST', '/custom-fields', { orgId: tenant.orgId, key: 'new', name: 'New', type: 'text' })(),
  'PATCH /api/v1/custom-fields/:id': () =>
    asAdmin('PATCH', `/custom-fields/${fleet.fields[0]}`, { name: 'Other' })(),
  'DELETE /api/v1/custom-fields/:id': () => asAdmin('DELETE', `/custom-fields/${fleet.fields[1]}`)(),
  'POST /api/v1/auth/mfa/enroll': () =>
    service.ask('POST', `${API}/auth/mfa/enroll`, { password: PASSWORD }, tokens.newcomer.accessToken),
  'POST /api/v1/auth/mfa/enroll/confirm': () =>
    service.ask(
      'POST',
      `${API}/auth/mfa/enroll/confirm`,
      { code: service.nextCode(fleet.secret) },
      tokens.starter.accessToken,
    ),
  'POST /api/v1/auth/mfa/recovery-codes': () => asAdmin('POST', '/auth/mfa/recovery-codes')(),
  'POST /api/v1/auth/passkeys': async () => {
    const options = (await asAdmin('POST', '/auth/passkeys/options', {})()).body as Record<string, unknown>;
    const response = makeAuthenticator('http://localhost').create(options);
    return asAdmin('POST', '/auth/passkeys', { response, name: 'New' })();
  },
  'DELETE /api/v1/auth/passkeys/:id': () => asAdmin('DELETE', `/auth/passkeys/${fleet.passkey}`)(),
  'DELETE /api/v1/auth/identity-providers/:id': () =>
    asAdmin('DELETE', `/auth/identity-providers/${fleet.providers[0]}`)(),
  'POST /api/v1/auth/api-keys': () => asAdmin('POST', '/auth/api-keys', { name: 'New' })(),
  'DELETE /api/v1/auth/api-keys/:id': () => asAdmin('DELETE', `/auth/api-keys/${fleet.apiKey}`)(),
  'PATCH /api/v1/auth/account-deletion-request/:id': () =>
    service.ask(
      'PATCH',
      `${API}/auth/account-deletion-request/${requests.own}`,
      { status: 'cancelled' },
      tokens.withdrawer.accessToken,
    ),
  'POST /api/v1/admin/account-deletion-requests/:id/process': () =>
    asAdmin('POST', `/admin/account-deletion-requests/${requests.others}/process`, { action: 'approve' })(),
  'POST /api/v1/auth/account-deletion-request': () =>
    asAdmin('POST', '/auth/account-deletion-request', { password: admin.user.password })(),
  'POST /api/v1/users': () =>
    asBoss('POST', '/users', { email: 'four@example.com', name: 'New', orgId: tenant.orgId })(),
  'PATCH /api/v1/users/:id': () => asBoss('PATCH', `/users/${people.other}`, { name: 'Other' })(),
  'POST /api/v1/users/:id/invitation': () => asBoss('POST', `/users/${people.invited[0]}/invitation`)(),
  'DELETE /api/v1/users/:id': () => asBoss('DELETE', `/users/${people.invited[1]}`)(),
  'POST /api/v1/users/:id/mfa-reset': () => asBoss('POST', `/users/${people.enrolled}/mfa-reset`)(),
  'DELETE /api/v1/users/:id/api-keys/:keyId': () =>
    asBoss('DELETE', `/users/${people.other}/api-keys/${people.key}`)(),
  'DELETE /api/v1/users/:id/api-keys': () => asBoss('DELETE', `/users/${people.other}/api-keys`)(),
  'POST /api/v1/auth/invitation/accept': () =>
    service.askFrom('198.51.100.9', `${API}/auth/invitation/accept`, {
      ...{ token: people.invitation, name: 'New', password: 'a wholly new password' },
    }),
  'POST /api/v1/auth/password-reset/confirm': () =>
    service.askFrom('198.51.100.9', `${API}/auth/password-reset/confirm`, {
      ...{ token: people.reset, newPassword: 'a wholly new password' },
    }),
  'POST /api/v1/organizations': () =>
    asBoss('POST', '/organizations', { name: 'New', partnerId: tenant.partnerId })(),
  'PATCH /api/v1/organizations/:id': () =>
    asBoss('PATCH', `/organizations/${tenant.orgId}`, { name: 'Other' })(),
  'DELETE /api/v1/organizations/:id': () => asBoss('DELETE', `/organizations/${people.emptyOrg}`)(),
  'PATCH /api/v1/partners/:id': () =>
    service.asUser(people.system)('PATCH', `${API}/partners/${tenant.partnerId}`, { name: 'Other' }),
  'POST /api/v1/identity-providers': () =>
    asBoss('POST', '/identity-providers', {
      ...{ orgId: tenant.orgId, name: 'New', issuer: 'https://id.example', clientId: 'a', clientSecret: 'b' },
    })(),
  'PATCH /api/v1/identity-providers/:id': () =>
    asBoss('PATCH', `/identity-providers/${fleet.providers[0]}`, { trustMfa: true })(),
  'DELETE /api/v1/identity-providers/:id': () =>
    asBoss('DELETE', `/identity-providers/${fleet.providers[1]}`)(),
  'POST /api/v1/sites': () => asBoss('POST', '/sites', { orgId: tenant.orgId, name: 'New' })(),
  'PATCH /api/v1/sites/:id': () => asBoss('PATCH', `/sites/${people.sites[0]}`, { name: 'Newer' })(),
  'DELETE /api/v1/sites/:id': () => asBoss('DELETE', `/sites/${people.sites[1]}`)(),
  'POST /api/v1/auth/password': () =>
    asAdmin('POST', '/auth/password', {
      currentPassword: admin.user.password,
      newPassword: 'another password',
    })(),
};

/** The password of users that `aUser` makes. */
const PASSWORD = aUser().password;

/** POST routes that change no data of the partner, or only sessions, which no move includes. */
const NO_CHANGES: readonly string[] = [
  ...[
    'filters/preview',
    'filters/:id/preview',
    'filters/:id/impact',
    'filters/parse',
    'filters/format',
    'filters/explain',
  ],
  ...['filters/:id/explain', 'devices/query', 'devices/export', 'auth/login', 'auth/refresh', 'auth/logout'],
  ...['auth/session', 'auth/session/refresh', 'auth/mfa/challenge'],
  ...['auth/passkey/options', 'auth/passkeys/options', 'auth/invitation', 'auth/password-reset', 'partners'],
  // This route changes nothing without a record in DNS.
  'identity-providers/:id/domains/verify',
].map((path) => `POST ${API}/${path}`);
const SESSIONS = [
  ...[
    'auth/session',
    'auth/sessions',
    'auth/sessions/:id',
    'users/:id/sessions',
    'users/:id/sessions/:sessionId',
  ],
].map((path) => `DELETE ${API}/${path}`);

/** The data of the partner without the audit log, because reading is audited as well. */
async function held(): Promise<string> {
  const text = await dump({ databaseTools: tools }, { partnerId: tenant.partnerId });
  return text.replaceAll(/^\{"kind":"auditEntry".*\n/gm, '');
}

async function underMaintenance<T>(work: () => Promise<T>): Promise<T> {
  await tools.partnerMaintenance.begin(tenant.partnerId, entry, NOBODY_WAITS);
  try {
    return await work();
  } finally {
    await tools.partnerMaintenance.end(tenant.partnerId, entry);
  }
}

test('every route but GET is listed as changing data or not', () => {
  const routes = Object.keys(OPERATIONS).filter((route) => !route.startsWith('GET '));
  expect([...Object.keys(CHANGES), ...NO_CHANGES, ...SESSIONS].toSorted()).toStrictEqual(routes.toSorted());
});

describe('in maintenance', () => {
  test.each(Object.keys(CHANGES))('%s is 503 with Retry-After, and changes nothing', async (route) => {
    const before = await held();
    const { answer, after } = await underMaintenance(async () => ({
      answer: (await CHANGES[route]?.()) as Answer,
      after: await held(),
    }));
    expect([answer.status, answer.headers.get('Retry-After')]).toStrictEqual([503, '60']);
    expect(answer.text).toMatch(/partner_in_maintenance|being moved/);
    expect(after).toBe(before);
  });

  test('data can be read, and people sign in with both factors', async () => {
    await underMaintenance(async () => {
      const { signIns } = service.composition.backend;
      const { passwordHash } = (await signIns.findById(admin.user.id)) ?? {};
      // As if the parameters of the hash were out of date.
      await signIns.replacePasswordHash(admin.user.id, passwordHash ?? '', 'another');
      const fresh = await service.signInWithMfa(admin);
      const ask = (method: string, path: string, body?: unknown) =>
        service.ask(method, `${API}${path}`, body, fresh.accessToken);
      for (const answer of [
        await ask('GET', '/devices'),
        await ask('GET', `/filters/${fleet.filters[0]?.id}`),
        await ask('POST', `/filters/${fleet.filters[0]?.id}/preview`),
        await ask('GET', '/admin/audit-log'),
        await service.ask('POST', `${API}/auth/refresh`, { refreshToken: fresh.refreshToken }),
      ]) {
        expect(answer.status).toBe(200);
      }
    });
  });

  test('other partners can change their data', async () => {
    const { userId, orgId } = await createTenant(service.composition.backend);
    await underMaintenance(async () => {
      const made = await service.asUser(userId)('POST', `${API}/filters`, {
        ...{ name: 'Theirs', orgId, conditions: ONLINE_CONDITIONS },
      });
      expect(made.status).toBe(201);
      expect(
        (await service.asUser(userId)('DELETE', `${API}/filters/${(made.body as FilterRecord).id}`)).status,
      ).toBe(200);
    });
  });

  test('neither loads nor workers change anything', async () => {
    const { backend, completeDeletions } = service.composition;
    await databaseOf(service).owner.query(
      `update device set reports_since = $1, last_seen_at = $1 where id = $2`,
      [new Date(SOME_INSTANT - 1e9), fleet.device],
    );
    const elsewhere = await createTenant(backend);
    const before = await held();
    const after = await underMaintenance(async () => {
      const device = aDevice({ orgId: tenant.orgId });
      await expect(backend.fleetWriter(located([device]))).rejects.toThrow(/in_maintenance/);
      const [moved, allowMoves] = [aDevice({ ...device, id: fleet.device, orgId: elsewhere.orgId }), true];
      await expect(
        backend.fleetWriter(located([moved]), undefined, undefined, { allowMoves }),
      ).rejects.toThrow(/in maintenance/);
      expect(await backend.markSilent(audibleFrom(SOME_INSTANT), 100)).toBe(0);
      await completeDeletions();
      return held();
    });
    expect(after).toBe(before);
    expect(await backend.markSilent(audibleFrom(SOME_INSTANT), 100)).toBe(1);
  });
});

test('maintenance begins only after open transactions end, and a dump then has their writes', async () => {
  const { url } = databaseOf(service);
  const app = `${new URL(url).pathname.slice(1)}_app`;
  const password = await databaseOf(service).owner.query(
    `select value from service_secret where name = 'role_password_app'`,
  );
  const pool = new Pool(
    connectionConfig(url, { as: { role: app, password: password.rows[0].value }, applicationName: 'test' }),
  );
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.scope', 'system', true)`);
    await client.query(
      `update device set hostname = 'written late', hostname_lc = 'written late' where id = $1`,
      [fleet.device],
    );
    const waited: number[] = [];
    let isOver = false;
    const begun = tools.partnerMaintenance
      .begin(tenant.partnerId, entry, (open) => waited.push(open))
      .then(() => {
        isOver = true;
      });
    while (waited.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isOver).toBe(false);
    await client.query('commit');
    await begun;
    expect(await held()).toContain('written late');
  } finally {
    client.release();
    await pool.end();
    await tools.partnerMaintenance.end(tenant.partnerId, entry);
  }
});

test('after maintenance every route works again', async () => {
  const statuses: [string, number][] = [];
  for (const [route, ask] of Object.entries(CHANGES)) statuses.push([route, (await ask()).status]);
  expect(statuses.filter(([, status]) => status >= 300)).toStrictEqual([]);
});

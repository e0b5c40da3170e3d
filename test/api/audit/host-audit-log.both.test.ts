/** The audit log of an embedding program gets all that ours would, and its errors undo the change (Contract: §8, §15). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeSetPassword } from '#application/auth/set-password.ts';
import { makeCreateOrganization } from '#application/fleet/create-organization.ts';
import {
  type AuditAction,
  type AuditEntry,
  type AuditResourceType,
  RESOURCE_TYPES,
} from '#domain/audit/audit-entry.ts';
import { basic } from '#test/api/inventory/agents.ts';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { FILTERS, PREVIEW } from '#test/api/service/service.ts';
import {
  aDevice,
  anAlert,
  anApiKey,
  anInventory,
  aPartner,
  aUser,
  located,
  ONLINE_CONDITIONS,
} from '#test/support/builders.ts';
import { importInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Not driven here: only system scope and commands create partners (`test/main/host-audit-log.test.ts`). */
const NOT_DRIVEN: readonly AuditResourceType[] = ['partner'];

/** Does nearly everything that is audited, through every port that records. */
async function doEverything(service: AuthService): Promise<void> {
  const { composition } = service;
  const { backend, clock } = composition;
  const tenant = await createTenant(backend);
  const { orgId } = tenant;
  const [device, other] = [aDevice({ orgId, status: 'online' }), aDevice({ orgId })];
  const alert = anAlert({ orgId });
  await loadFleet(backend, [device, other, alert]);
  const addAdministrator = () =>
    service.addEnrolledUser({
      membership: { scope: 'organization', orgId },
      permissions: ['users:write', 'devices:write'],
    });
  const admin = await addAdministrator();
  let token = (await service.signInWithMfa(admin)).accessToken;
  const ask = async (method: string, path: string, body?: unknown, by?: string | Record<string, string>) => {
    const headers = typeof by === 'object' ? by : { Authorization: `Bearer ${by ?? token}` };
    const answer = await service.as('none')(method, path, body, headers);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer.body as Record<'id' | 'key' | 'secret' | 'operationId' | 'accessToken', string>;
  };

  const conditions = ONLINE_CONDITIONS;
  const { id } = await ask('POST', '/api/v1/filters', { name: 'Online', orgId, conditions });
  await ask('PATCH', `/api/v1/filters/${id}`, { name: 'Reachable' });
  await ask('POST', '/api/v1/filters/preview', { conditions });
  await ask('POST', `/api/v1/filters/${id}/preview`);
  const feed = await ask('POST', '/api/v1/subscriptions', { filterId: id, name: 'Feed', kind: 'feed' });
  await ask('DELETE', `/api/v1/subscriptions/${feed.id}`);
  await ask('POST', '/api/v1/filters/explain', { conditions });
  await ask('DELETE', `/api/v1/filters/${id}`);
  await ask('POST', '/api/v1/devices/export', { format: 'csv' });

  const field = await ask('POST', '/api/v1/custom-fields', {
    orgId,
    key: 'rack',
    name: 'Rack',
    type: 'text',
  });
  await ask('PATCH', `/api/v1/custom-fields/${field.id}`, { name: 'Shelf' });
  await ask('DELETE', `/api/v1/custom-fields/${field.id}`);
  await ask('PATCH', `/api/v1/devices/${device.id}`, { tags: ['vip'] });
  const change = { ids: [device.id], expectedCount: 1, change: { addTags: ['counted'] } };
  const { operationId } = await ask('POST', '/api/v1/devices/bulk', change);
  await ask('POST', `/api/v1/devices/bulk/${operationId}/undo`);
  await ask('PATCH', `/api/v1/alerts/${alert.id}`, { status: 'resolved' });
  await ask('POST', `/api/v1/devices/${device.id}/merge`, { deviceId: other.id });
  await ask('DELETE', `/api/v1/devices/${device.id}`);

  const enrolment = await ask('POST', '/api/v1/enrolment-keys', { orgId, name: 'Laptops' });
  const content = { hardware: { name: 'reported' }, versionclient: 'GLPI-Agent_v1.11' };
  const report = { action: 'inventory', deviceid: 'reported', itemtype: 'Computer', content };
  const agent = { Authorization: basic(enrolment.key), 'Content-Type': 'application/json' };
  await ask('POST', '/inventory', report, agent);
  await ask('DELETE', `/api/v1/enrolment-keys/${enrolment.id}`);

  const key = await ask('POST', '/api/v1/auth/api-keys', { name: 'Reports' });
  await ask('DELETE', `/api/v1/auth/api-keys/${key.id}`);
  const user = await service.addUser();
  const { password } = user;
  const session = (await service.signIn(user)).accessToken;
  await service.login({ email: user.email, password: 'wrong' });
  await ask('DELETE', '/api/v1/auth/sessions', undefined, session);
  const { secret } = await ask('POST', '/api/v1/auth/mfa/enroll', { password }, session);
  const code = () => ({ code: service.nextCode(secret) });
  await ask('POST', '/api/v1/auth/mfa/enroll/confirm', code(), session);
  const stepped = await ask('POST', '/api/v1/auth/mfa/challenge', code(), session);
  await ask('POST', '/api/v1/auth/mfa/recovery-codes', undefined, stepped.accessToken);
  const newPassword = 'another long password';
  await ask('POST', '/api/v1/auth/password', { currentPassword: password, newPassword }, session);

  const own = '/api/v1/auth/account-deletion-request';
  const leaver = await addAdministrator();
  const leaving = (await service.signInWithMfa(leaver)).accessToken;
  const submit = () => ask('POST', own, { password: leaver.user.password }, leaving);
  await ask('PATCH', `${own}/${(await submit()).id}`, { status: 'cancelled' }, leaving);
  const process = (request: { readonly id: string }, body: object) =>
    ask('POST', `/api/v1/admin/account-deletion-requests/${request.id}/process`, body);
  token = (await service.signInWithMfa(admin)).accessToken;
  await process(await submit(), { action: 'reject', adminNote: 'not yet' });
  await process(await submit(), { action: 'approve' });

  const person = await addAdministrator();
  const { id: personId } = person.user;
  await ask('PATCH', `/api/v1/users/${personId}`, { name: 'Ada' });
  const theirs = (await service.signInWithMfa(person)).accessToken;
  await ask('POST', '/api/v1/auth/api-keys', { name: 'Theirs' }, theirs);
  token = (await service.signInWithMfa(admin)).accessToken;
  await ask('DELETE', `/api/v1/users/${personId}/api-keys`);
  await ask('DELETE', `/api/v1/users/${personId}/sessions`);

  const site = await ask('POST', '/api/v1/sites', { name: 'Quay' });
  await ask('PATCH', `/api/v1/sites/${site.id}`, { name: 'Pier' });
  await ask('DELETE', `/api/v1/sites/${site.id}`);
  const client = { issuer: 'https://id.kestrel.example/v2.0', clientId: 'fleetsift', clientSecret: 'hush' };
  const provider = await ask('POST', '/api/v1/identity-providers', { name: 'Entra', ...client });
  await ask('DELETE', `/api/v1/identity-providers/${provider.id}`);

  const makeSystemEntry = makeSystemEntryFactory(composition);
  const entryOf = (action: AuditAction) =>
    makeSystemEntry({ action, resourceId: null, orgId: null, partnerId: null, details: {} });
  const made = aUser({ totpSecret: 'JBSWY3DPEHPK3PXP' });
  await backend.accounts.createUser(made, () => entryOf('user.created'));
  await backend.accounts.createApiKey(anApiKey({ userId: made.id }), () => entryOf('auth.api_key.created'));
  const setPassword = makeSetPassword({ ...composition, ...backend });
  await setPassword(made.id, 'a third long password', entryOf('user.password_reset'));
  const createOrganization = makeCreateOrganization({
    ...composition,
    ...backend,
    makeEntry: makeSystemEntry,
  });
  await createOrganization({ name: 'Fabrikam', partner: tenant.partnerId });
  await backend.fleetWriter(located([aPartner()]), undefined, () => entryOf('fleet.load'));
  await importInventory(backend, orgId, anInventory(), clock(), () => entryOf('fleet.import'));
  await backend.auditLog(entryOf('fleet.dump'));
  await backend.auditLog(entryOf('backup_role.created'));
  const claimed = await backend.mailOutbox.claim(clock(), 60_000);
  if (claimed === null) throw new Error('no mail is due');
  await backend.mailOutbox.settle(claimed, { status: 'failed', at: clock(), problem: '550 no' });
  await backend.mailOutbox.retryAllFailed(clock(), () => entryOf('mail.retried'));
  service.pass(31 * 86_400);
  await composition.completeDeletions();
}

/** How often each kind of entry occurs; ids and instants differ between two runs. */
function kindsOf(entries: readonly AuditEntry[]): Readonly<Record<string, number>> {
  const kinds = entries.map(({ action, result, actor, resourceType, resourceId, orgId, ip, details }) =>
    JSON.stringify([
      ...[action, result, actor.type, resourceType, resourceId !== null, orgId !== null, ip],
      Object.keys(details).toSorted(),
    ]),
  );
  return Object.fromEntries(
    [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length] as const).toSorted(),
  );
}

test('the log of an embedding program gets every entry that our own log would have, and ours gets none', async () => {
  const ours = await startAuthService();
  onTestFinished(() => ours.close());
  await doEverything(ours);
  const expected = await ours.probe.auditEntries();

  const entries: AuditEntry[] = [];
  const hosted = await startAuthService({ auditLog: async (entry) => void entries.push(entry) });
  onTestFinished(() => hosted.close());
  await doEverything(hosted);

  expect(kindsOf(entries)).toStrictEqual(kindsOf(expected));
  expect(await hosted.probe.auditEntries()).toStrictEqual([]);
  const driven = new Set(expected.map(({ resourceType }) => resourceType));
  const left = new Set(Object.values(RESOURCE_TYPES)).difference(driven);
  expect([...left].toSorted()).toStrictEqual(NOT_DRIVEN);
});

describe('an error of the log', () => {
  let service: AuthService;
  let isBroken = false;

  beforeAll(async () => {
    service = await startAuthService({
      auditLog: async () => {
        if (isBroken) throw new Error('the log of the host is down');
      },
    });
  });

  afterAll(() => service.close());

  async function whileBroken<T>(work: () => Promise<T>): Promise<T> {
    isBroken = true;
    try {
      return await work();
    } finally {
      isBroken = false;
    }
  }

  const anAdministrator = async () => {
    const { orgId } = await createTenant(service.composition.backend);
    const membership = { scope: 'organization', orgId } as const;
    const admin = await service.addEnrolledUser({ membership, permissions: ['devices:write'] });
    const { accessToken } = await service.signInWithMfa(admin);
    return { orgId, admin, accessToken };
  };

  test('undoes a change, and the answer is an error', async () => {
    const { orgId, accessToken } = await anAdministrator();
    const device = aDevice({ orgId, tags: [] });
    await loadFleet(service.composition.backend, [device]);
    const body = { name: 'Online', orgId, conditions: ONLINE_CONDITIONS };
    await whileBroken(async () => {
      expect((await service.ask('POST', FILTERS, body, accessToken)).status).toBe(500);
      const path = `/api/v1/devices/${device.id}`;
      expect((await service.ask('PATCH', path, { tags: ['vip'] }, accessToken)).status).toBe(500);
    });
    expect((await service.ask('GET', FILTERS, undefined, accessToken)).body).toMatchObject({ total: 0 });
    const { body: seen } = await service.ask('GET', `/api/v1/devices/${device.id}`, undefined, accessToken);
    expect(seen).toMatchObject({ tags: [] });
  });

  test('lets nobody sign in, and answers no preview', async () => {
    const { admin, accessToken } = await anAdministrator();
    const { email, password } = admin.user;
    await whileBroken(async () => {
      const code = service.nextCode(admin.totpSecret);
      expect((await service.login({ email, password, code })).status).toBe(500);
      const body = { conditions: ONLINE_CONDITIONS };
      expect((await service.ask('POST', PREVIEW, body, accessToken)).status).toBe(500);
    });
    const sessions = await service.ask('GET', `${AUTH}/sessions`, undefined, accessToken);
    expect(sessions.body).toMatchObject({ data: [{ current: true }] });
  });
});

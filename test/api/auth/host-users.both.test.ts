/** Callers whom an embedding program vouches for, and whom the service may never have heard of (Contract: §15). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCaller } from '#application/call.ts';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { Caller } from '#domain/access/caller.ts';
import { AUTH, QUICK_PASSWORDS } from '#test/api/service/auth-service.ts';
import { OWN, PASSWORD, REQUESTS } from '#test/api/service/deletion-service.ts';
import { FILTERS, filterOf, refusalOf, startService, type TestService } from '#test/api/service/service.ts';
import { newId, ONLINE_CONDITIONS, orgScope } from '#test/support/builders.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: TestService;
const callers = new Map<string, Caller>();

const credentials: CredentialVerifier = {
  verifyAccessToken: async (token) => callers.get(token) ?? null,
  verifyApiKey: async (key) => {
    const caller = callers.get(key);
    return caller === undefined
      ? null
      : { ...caller, credential: { kind: 'api-key', apiKeyId: newId<'api-key'>() } };
  },
};

beforeAll(async () => {
  service = await startService({ overrides: { ...QUICK_PASSWORDS, credentials } });
});

afterAll(() => service.close());

/** A user of organization A whose second factor the program has verified; without a row, unless its id is given. */
function aHostUser(userId = newId<'user'>(), token: string = newId()) {
  const scope = orgScope(service.tenants.orgIds.A);
  const permissions = ['users:write', 'devices:write'];
  const mfaVerifiedAt = service.composition.clock();
  callers.set(token, makeCaller({ userId, scope, permissions, mfaVerifiedAt }));
  const ask = (method: string, path: string, body?: unknown) =>
    service.as('none')(method, path, body, { Authorization: `Bearer ${token}` });
  return { userId, mfaVerifiedAt, ask };
}

describe('a user without a row', () => {
  test('sees on GET /auth/me what the program says of them', async () => {
    const { userId, mfaVerifiedAt, ask } = aHostUser();
    const answer = await ask('GET', `${AUTH}/me`);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        id: userId,
        email: null,
        name: null,
        scope: 'organization',
        orgId: service.tenants.orgIds.A,
        partnerId: null,
        isWholePartner: false,
        permissions: ['users:write', 'devices:write'],
        isPlatformAdmin: false,
        mfa: { enrolled: true, verifiedAt: new Date(mfaVerifiedAt).toISOString() },
      },
    ]);
  });

  test('gets an answer from GET /auth/me with an API key of the program, too', async () => {
    const key = `fsk_${'H'.repeat(43)}`;
    const { userId } = aHostUser(undefined, key);
    const answer = await service.as('none')('GET', `${AUTH}/me`, undefined, { 'X-API-Key': key });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { id: userId, email: null, mfa: { enrolled: false, verifiedAt: null } },
    ]);
  });

  test('has no sessions, API keys or deletion request here', async () => {
    const { ask } = aHostUser();
    expect((await ask('GET', `${AUTH}/sessions`)).body).toStrictEqual({ data: [] });
    expect((await ask('DELETE', `${AUTH}/sessions`)).status).toBe(204);
    expect(refusalOf(await ask('DELETE', `${AUTH}/sessions/${newId()}`))).toStrictEqual([404, 'not_found']);
    expect((await ask('GET', `${AUTH}/api-keys`)).body).toStrictEqual({ data: [], total: 0 });
    expect((await ask('GET', OWN)).body).toStrictEqual({ data: null, latest: null });
  });

  test('creates, changes and lists filters, whose creator has no name', async () => {
    const { userId, ask } = aHostUser();
    const filter = filterOf(await ask('POST', FILTERS, { name: 'Online', conditions: ONLINE_CONDITIONS }));
    expect(filter).toMatchObject({ createdBy: userId, creator: null });
    const changed = await ask('PATCH', `${FILTERS}/${filter.id}`, { name: 'Online now' });
    expect(filterOf(changed)).toMatchObject({ name: 'Online now', createdBy: userId, creator: null });
    expect((await ask('GET', FILTERS)).text).toContain(filter.id);
    const log = await ask('GET', `/api/v1/admin/audit-log?actorId=${userId}&action=filter.create`);
    expect(log.body).toMatchObject({ data: [{ actor: { type: 'user', id: userId, name: null } }] });
  });

  test('decides deletion requests', async () => {
    const person = service.tenants.users['A-user'];
    const { orgIds } = service.tenants;
    const request = aPendingRequest({ userId: person.id, orgId: orgIds.A });
    const { id } = request;
    await loadFleet(service.composition.backend, [
      {
        kind: 'deletionRequest',
        id,
        request,
        failures: 0,
        problem: null,
        nextAttemptAt: null,
        remindedAt: null,
      },
    ]);
    const { userId, ask } = aHostUser();
    const decided = await ask('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
    expect([decided.status, decided.body]).toMatchObject([
      200,
      { status: 'processing', processedBy: userId, decider: null },
    ]);
    expect((await ask('GET', `${REQUESTS}/${id}`)).body).toStrictEqual(decided.body);
  });

  test.each([
    ['POST', `${AUTH}/password`, { currentPassword: PASSWORD, newPassword: 'staple staple staple' }],
    ['POST', `${AUTH}/mfa/enroll`, { password: PASSWORD }],
    ['POST', `${AUTH}/mfa/enroll/confirm`, { code: '123456' }],
    ['POST', `${AUTH}/mfa/challenge`, { code: '123456' }],
    ['POST', `${AUTH}/mfa/recovery-codes`, undefined],
    ['POST', `${AUTH}/api-keys`, { name: 'Scripts' }],
    ['POST', OWN, { password: PASSWORD }],
  ])('is refused %s %s, and referred to the program, which has the account', async (method, path, body) => {
    const { ask } = aHostUser();
    const answer = await ask(method, path, body);
    expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
    expect(answer.body).toMatchObject({
      detail: 'You are signed in by another program; manage your account there.',
    });
  });
});

describe('a user with a row, whom the program signed in', () => {
  test('is shown with email and name', async () => {
    const { id, email, name } = service.tenants.users['A-admin'];
    const { ask } = aHostUser(id);
    expect((await ask('GET', `${AUTH}/me`)).body).toMatchObject({ id, email, name });
  });

  test('sees and ends their sessions here, none of which is current', async () => {
    const { id, email, password } = service.tenants.users['B-user'];
    const { ask } = aHostUser(id);
    const signIn = () => service.as('none')('POST', `${AUTH}/login`, { email, password });
    expect([(await signIn()).status, (await signIn()).status]).toStrictEqual([200, 200]);
    const { data } = (await ask('GET', `${AUTH}/sessions`)).body as { data: { id: string }[] };
    expect(data).toMatchObject([{ current: false }, { current: false }]);
    expect((await ask('DELETE', `${AUTH}/sessions/${data[0]?.id}`)).status).toBe(204);
    expect((await ask('GET', `${AUTH}/sessions`)).body).toMatchObject({ data: [{ id: data[1]?.id }] });
    expect((await ask('DELETE', `${AUTH}/sessions`)).status).toBe(204);
    expect((await ask('GET', `${AUTH}/sessions`)).body).toStrictEqual({ data: [] });
  });
});

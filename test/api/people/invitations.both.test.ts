/** Inviting people (Contract: §16). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import {
  AUTH,
  type AuthService,
  type EnrolledUser,
  startAuthService,
} from '#test/api/service/auth-service.ts';
import { refusalOf } from '#test/api/service/service.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

const USERS = '/api/v1/users';

let service: AuthService;
let tenant: Tenant;
let people = 0;

beforeAll(async () => {
  service = await startAuthService();
  tenant = await createTenant(service.composition.backend);
});

afterAll(() => service.close());

/** Asks as a new administrator of the organization. */
async function administrator(given: Parameters<AuthService['addEnrolledUser']>[0] = {}) {
  const admin: EnrolledUser = await service.addEnrolledUser({
    membership: { scope: 'organization', orgId: tenant.orgId },
    permissions: ['users:write'],
    ...given,
  });
  const { accessToken } = await service.signInWithMfa(admin);
  const ask = (method: string, path: string, body?: unknown) =>
    service.ask(method, `${USERS}${path}`, body, accessToken);
  return { ...admin, ask, invite: (body: object) => ask('POST', '', { ...aPerson(), ...body }) };
}
const aPerson = () => ({
  email: `New.Person${++people}@Example.com`,
  name: 'Grace Hopper',
  orgId: tenant.orgId,
});
const accept = (body: object) => service.askFrom('198.51.100.7', `${AUTH}/invitation/accept`, body);
const read = (token: string) => service.askFrom('198.51.100.7', `${AUTH}/invitation`, { token });
const takeTokens = async () =>
  (await takeMails(service.composition))
    .filter(({ kind }) => kind === 'invitation')
    .map((mail) => tokenIn(mail, 'invitation'));
const idOf = (answer: { readonly body: unknown }) => (answer.body as { id: string }).id;

test('an invited person gets a mail, accepts once, and signs in', async () => {
  const { user, invite, ask } = await administrator();
  const answer = await invite({ email: 'grace@example.com', permissions: ['users:write'] });
  expect(answer.status).toBe(201);
  const id = idOf(answer);
  expect(answer.headers.get('location')).toBe(`${USERS}/${id}`);
  expect(answer.body).toMatchObject({
    ...{ email: 'grace@example.com', name: 'Grace Hopper', scope: 'organization', status: 'invited' },
    ...{ orgId: tenant.orgId, permissions: ['users:write'], isPlatformAdmin: false, lastSignInAt: null },
  });
  const [mail] = await takeMails(service.composition);
  expect(mail).toMatchObject({
    kind: 'invitation',
    facts: { inviter: user.name, place: expect.any(String) },
  });
  const token = tokenIn(mail, 'invitation');
  expect((await read(token)).body).toMatchObject({
    ...{ email: 'grace@example.com', name: 'Grace Hopper', organization: { id: tenant.orgId } },
  });
  const password = 'correct horse battery';
  expect((await service.login({ email: 'grace@example.com', password })).status).toBe(401);
  expect((await accept({ token, name: ' Grace ', password })).status).toBe(204);
  expect((await service.login({ email: 'grace@example.com', password })).status).toBe(200);
  expect((await ask('GET', `/${id}`)).body).toMatchObject({ name: 'Grace', status: 'active' });
  expect(refusalOf(await accept({ token, password }))).toStrictEqual([404, 'link_invalid']);
  expect(refusalOf(await read(token))).toStrictEqual([404, 'link_invalid']);
  const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === id);
  expect(entries.map(({ action, actor }) => [action, actor.id])).toStrictEqual([
    ['user.invited', user.id],
    ['user.invitation_accepted', id],
    ['auth.login', id],
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test('a new invitation voids the former; a withdrawal removes the person and frees the email', async () => {
  const { user, invite, ask } = await administrator();
  const { email } = aPerson();
  const id = idOf(await invite({ email }));
  const [former = ''] = await takeTokens();
  expect((await ask('POST', `/${id}/invitation`)).status).toBe(204);
  const [token = ''] = await takeTokens();
  expect(refusalOf(await read(former))).toStrictEqual([404, 'link_invalid']);
  expect((await read(token)).status).toBe(200);
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
  expect(refusalOf(await read(token))).toStrictEqual([404, 'link_invalid']);
  expect((await ask('GET', `/${id}`)).status).toBe(404);
  expect((await invite({ email })).status).toBe(201);
  await takeTokens();
  const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === id);
  expect(entries.map(({ action, actor, result }) => [action, actor.id, result])).toStrictEqual([
    ['user.invited', user.id, 'success'],
    ['user.invited', user.id, 'success'],
    ['user.invitation_revoked', user.id, 'success'],
  ]);
});

test('nobody can send or withdraw invitations for active people or for themselves', async () => {
  const { user, ask } = await administrator();
  const active = await service.addUser({ membership: { scope: 'organization', orgId: tenant.orgId } });
  for (const [method, path] of [
    ['POST', '/invitation'],
    ['DELETE', ''],
  ] as const) {
    expect(refusalOf(await ask(method, `/${active.id}${path}`))).toStrictEqual([409, 'not_invited']);
    expect(refusalOf(await ask(method, `/${user.id}${path}`))).toStrictEqual([409, 'own_account']);
    const foreign = await service.addUser();
    for (const id of [foreign.id, service.composition.newId(), 'x']) {
      expect(refusalOf(await ask(method, `/${id}${path}`))).toStrictEqual([404, 'not_found']);
    }
  }
});

test('nobody can give rights that they lack, or invite beyond their reach', async () => {
  const { invite } = await administrator();
  const elsewhere = await createTenant(service.composition.backend);
  expect(refusalOf(await invite({ permissions: ['devices:write'] }))).toStrictEqual([
    ...[403, 'exceeds_own_rights'],
  ]);
  expect(refusalOf(await invite({ orgId: undefined, scope: 'system' }))).toStrictEqual([
    ...[403, 'exceeds_own_rights'],
  ]);
  for (const orgId of [elsewhere.orgId, service.composition.newId()]) {
    expect((await invite({ orgId })).status).toBe(403);
  }
  const without = await administrator({ permissions: [] });
  expect(refusalOf(await without.invite({}))).toStrictEqual([403, 'forbidden']);
  expect(refusalOf(await invite({ email: 'no address', name: ' ', permissions: ['fly'] }))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['email', 'invalid_value'],
    ['name', 'invalid_value'],
    ['permissions', 'invalid_value'],
  ]);
  expect(await takeTokens()).toStrictEqual([]);
});

test('after ten taken emails in an hour, the caller has to wait, even with free emails', async () => {
  const { invite, user, totpSecret } = await administrator();
  const other = await service.addUser();
  for (let i = 0; i < 12; i++) expect((await invite({})).status).toBe(201);
  for (let i = 0; i < 10; i++) {
    expect(refusalOf(await invite({ email: other.email }))).toStrictEqual([409, 'email_taken']);
  }
  expect(refusalOf(await invite({ email: other.email }))).toStrictEqual([429, 'rate_limited']);
  expect(refusalOf(await invite({}))).toStrictEqual([429, 'rate_limited']);
  service.pass(3_600);
  const after = await service.signInWithMfa({ user, totpSecret });
  const sent = { ...aPerson(), email: other.email };
  expect(refusalOf(await service.ask('POST', USERS, sent, after.accessToken))).toStrictEqual([
    409,
    'email_taken',
  ]);
  await takeTokens();
});

test('an email is taken by an invited or disabled person, too, in any letter case', async () => {
  const { invite, ask } = await administrator();
  const disabled = await service.addUser();
  await service.probe.changeUser(disabled.id, { status: 'disabled' });
  const { email } = aPerson();
  expect((await invite({ email })).status).toBe(201);
  for (const taken of [email.toLowerCase(), disabled.email, ` ${email.toUpperCase()} `]) {
    const answer = await invite({ email: taken });
    expect([taken, ...refusalOf(answer)]).toStrictEqual([taken, 409, 'email_taken']);
  }
  expect((await ask('GET', `?search=${email}`)).body).toMatchObject({ data: [{ status: 'invited' }] });
  await takeTokens();
});

test('an invited person can be renamed and given rights, but not enabled or disabled', async () => {
  const { invite, ask } = await administrator({
    membership: { scope: 'partner', partnerId: tenant.partnerId, orgIds: null },
  });
  const id = idOf(await invite({}));
  for (const status of ['active', 'disabled']) {
    expect(refusalOf(await ask('PATCH', `/${id}`, { status }))).toStrictEqual([409, 'not_invited']);
  }
  const changed = await ask('PATCH', `/${id}`, { name: 'Anew', permissions: ['users:write'] });
  expect(changed.body).toMatchObject({ name: 'Anew', permissions: ['users:write'], status: 'invited' });
  await takeTokens();
});

test('an invitation names the organization and partner, or neither', async () => {
  const system = { membership: { scope: 'system' } as const, permissions: ['users:write'] };
  const { invite } = await administrator(system);
  const { partnerId, orgId } = tenant;
  const none = { orgId: undefined };
  const expected = [
    [{}, { organization: { id: orgId }, partner: { id: partnerId } }],
    [
      { ...none, partnerId },
      { organization: null, partner: { id: partnerId } },
    ],
    [
      { ...none, partnerId, orgIds: [orgId] },
      { organization: null, partner: { id: partnerId } },
    ],
    [
      { ...none, scope: 'system' },
      { organization: null, partner: null },
    ],
  ] as const;
  for (const [place, names] of expected) {
    const invited = await invite(place);
    expect(invited.status).toBe(201);
    const [token = ''] = await takeTokens();
    const { body } = await read(token);
    expect(Object.keys(body as object).toSorted()).toStrictEqual([
      'email',
      'name',
      'organization',
      'partner',
    ]);
    expect(body).toMatchObject(names);
  }
});

test('only one of five who invite the same email at once succeeds', async () => {
  const { invite } = await administrator();
  const { email } = aPerson();
  const answers = await Promise.all(Array.from({ length: 5 }, () => invite({ email })));
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([201, 409, 409, 409, 409]);
  expect(await takeTokens()).toHaveLength(1);
});

test('unknown, replaced, withdrawn, used and expired invitations get the same answer', async () => {
  const { invite, ask } = await administrator();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(idOf(await invite({})));
  const [replaced = '', withdrawn = '', used = ''] = await takeTokens();
  await ask('POST', `/${ids[0]}/invitation`);
  await ask('DELETE', `/${ids[1]}`);
  expect((await accept({ token: used, password: 'long enough' })).status).toBe(204);
  const [expired = ''] = await takeTokens();
  service.pass(7 * 86_400);
  const answers = [];
  for (const token of [replaced, withdrawn, used, expired, `fsl_${'x'.repeat(43)}`]) {
    answers.push(await read(token), await accept({ token, password: 'long enough' }));
  }
  const told = answers.map(({ status, body }) =>
    JSON.stringify({ status, ...(body as object), requestId: null, instance: null }),
  );
  expect(new Set(told).size).toBe(1);
  expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 404));
});

test('only one of ten who accept an invitation at once succeeds', async () => {
  const { invite } = await administrator();
  await invite({});
  const [token] = await takeTokens();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => accept({ token, password: `password of ${i}` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([204, ...Array(9).fill(404)]);
});

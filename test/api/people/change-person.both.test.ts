/** The changes of people that each caller may make (Contract: §16, PATCH /users/:id). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#adapters/http/people/people-shapes.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  type MemberName,
  REQUESTS,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { newId, SYSTEM_SCOPE } from '#test/support/builders.ts';

const USERS = '/api/v1/users';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
});
beforeEach(async () => {
  team = await service.newTeam();
});
afterAll(() => service.close());

const as = (name: MemberName, mfaAgeSeconds?: number | null) => service.by(team.people[name], mfaAgeSeconds);
const patch = (name: MemberName, user: Pick<UserRecord, 'id'>, body: unknown, headers = {}) =>
  as(name)('PATCH', `${USERS}/${user.id}`, body, headers);
const ofB = (): Membership => ({ scope: 'organization', orgId: team.b });
const statusOf = (user: Pick<UserRecord, 'id'>) => async (): Promise<Person> =>
  (await as('system')('GET', `${USERS}/${user.id}`)).body as Person;

/** The kinds of the mails to a person, oldest first. */
async function mailsTo({ id }: UserRecord): Promise<readonly string[]> {
  const mails = await service.composition.backend.mailOutbox.list(null, 1_000);
  return mails
    .filter(({ userId }) => userId === id)
    .map(({ kind }) => kind)
    .toReversed();
}

/** What a person is told about their own account now. */
const meOf = async (user: UserRecord): Promise<Answer> => service.by(user)('GET', '/api/v1/auth/me');

describe('name, permissions and status', () => {
  test('take effect at once and are audited', async () => {
    const { member } = team.people;
    const named = await patch('admin', member, { name: '  Ada Byron ', permissions: ['users:write'] });
    expect(named.status).toBe(200);
    expect(named.body).toMatchObject({ id: member.id, name: 'Ada Byron', permissions: ['users:write'] });
    expect((await meOf(member)).body).toMatchObject({ name: 'Ada Byron', permissions: ['users:write'] });
    expect((await service.by(member)('GET', USERS)).status).toBe(200);
    expect((await patch('admin', member, { permissions: [] })).body).toMatchObject({ permissions: [] });
    expect((await service.by(member)('GET', USERS)).status).toBe(403);

    const disabled = await patch('admin', member, { status: 'disabled', name: 'Ada' });
    expect(disabled.body).toMatchObject({ status: 'disabled', name: 'Ada' });
    expect((await meOf(member)).status).toBe(401);
    expect((await patch('admin', member, { status: 'active' })).body).toMatchObject({ status: 'active' });
    // Earlier tokens stay void.
    expect((await meOf(member)).status).toBe(401);

    const entries = await service.recordedOf(team, team.people.admin);
    expect(
      entries.map(({ action, result, orgId, resourceId, details }) => [
        action,
        result,
        orgId,
        resourceId,
        details,
      ]),
    ).toStrictEqual([
      ['user.updated', 'success', team.a, member.id, { fields: ['name', 'permissions'] }],
      ['user.updated', 'success', team.a, member.id, { fields: ['permissions'] }],
      ['user.updated', 'success', team.a, member.id, { fields: ['name'] }],
      ['user.disabled', 'success', team.a, member.id, { fields: ['status'] }],
      ['user.enabled', 'success', team.a, member.id, { fields: ['status'] }],
    ]);
  });

  test('a change that changes nothing is 200, ends no session and is not audited', async () => {
    const { member } = team.people;
    const read = (await as('admin')('GET', `${USERS}/${member.id}`)).body as Person;
    expect((await patch('admin', member, read)).body).toStrictEqual(read);
    expect((await meOf(member)).status).toBe(200);
    expect(await service.recordedOf(team, team.people.admin)).toStrictEqual([]);
  });

  test('every fault of a body is named, and nothing is changed', async () => {
    const { member } = team.people;
    const answer = await patch('admin', member, {
      ...{ name: ' ', permissions: ['users:wirte'], scope: 'world', orgId: 'x', status: 'deleted' },
      ...{ isPlatformAdmin: 'yes', orgIds: [], partnerId: 7 },
    });
    expect(answer.body).toMatchObject({ code: 'validation_failed' });
    const { errors } = answer.body as { errors: readonly { readonly path: string }[] };
    expect(new Set(errors.map(({ path }) => path))).toStrictEqual(
      new Set(['name', 'permissions', 'scope', 'orgId', 'status', 'isPlatformAdmin', 'orgIds', 'partnerId']),
    );
    expect(refusalOf(await patch('admin', member, { orgId: team.a, partnerId: team.p }))).toStrictEqual([
      400,
      'validation_failed',
      ['partnerId', 'invalid_value'],
    ]);
    expect(await statusOf(member)()).toMatchObject({ name: member.name, status: 'active' });
  });

  test('If-Match is honored', async () => {
    const { member } = team.people;
    const read = await as('admin')('GET', `${USERS}/${member.id}`);
    const tag = read.headers.get('etag') ?? '';
    const first = await patch('admin', member, { name: 'First' }, { 'If-Match': tag });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).not.toBe(tag);
    const second = await patch('admin', member, { name: 'Second' }, { 'If-Match': tag });
    expect(refusalOf(second)).toStrictEqual([412, 'precondition_failed']);
    expect((await patch('admin', member, { name: 'Third' }, { 'If-Match': '*' })).status).toBe(200);
    expect((await patch('admin', member, { name: 'Fourth' }, { 'If-Match': 'nonsense' })).status).toBe(412);
    expect(await statusOf(member)()).toMatchObject({ name: 'Third' });
  });

  test('a person can be enabled only if nobody else has taken the email since', async () => {
    const { member } = team.people;
    await patch('admin', member, { status: 'disabled' });
    const other = await service.addMember(team, { email: member.email.toUpperCase(), membership: ofB() });
    expect(refusalOf(await patch('admin', member, { status: 'active' }))).toStrictEqual([409, 'email_taken']);
    // Two are enabled at once, and only one gets it.
    await patch('admin of B', other, { status: 'disabled' });
    const both = [
      patch('admin', member, { status: 'active' }),
      patch('admin of B', other, { status: 'active' }),
    ];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([200, 409]);
  });
});

describe('refusals', () => {
  test('come in this order: own account, users:write, MFA, reach, body', async () => {
    const { member, admin } = team.people;
    const broken = { status: 'nonsense' };
    expect(refusalOf(await as('member', null)('PATCH', `${USERS}/${member.id}`, broken))).toStrictEqual([
      409,
      'own_account',
    ]);
    expect(refusalOf(await as('member')('PATCH', `${USERS}/${member.id}`, { name: 'x' }))).toStrictEqual([
      403,
      'forbidden',
    ]);
    expect(refusalOf(await as('member')('PATCH', `${USERS}/${member.id}`, 'no JSON'))).toStrictEqual([
      403,
      'forbidden',
    ]);
    expect(refusalOf(await as('member', null)('PATCH', `${USERS}/${admin.id}`, broken))).toStrictEqual([
      403,
      'forbidden',
    ]);
    expect(refusalOf(await as('admin', null)('PATCH', `${USERS}/${admin.id}`, broken))).toStrictEqual([
      409,
      'own_account',
    ]);
    expect(refusalOf(await as('admin', null)('PATCH', `${USERS}/${member.id}`, broken))).toStrictEqual([
      401,
      'mfa_required',
    ]);
    expect(refusalOf(await patch('admin of B', member, broken))).toStrictEqual([404, 'not_found']);
    expect((await patch('admin', member, broken)).status).toBe(400);
    const entries = await service.recordedOf(team, admin);
    expect(entries.map(({ result, details }) => [result, details])).toStrictEqual([
      ['denied', { reason: 'own_account' }],
      ['denied', { reason: 'mfa_required' }],
    ]);
  });

  test('people can change their own name, and nothing else of their account', async () => {
    const { admin } = team.people;
    expect((await patch('admin', admin, { name: 'Me' })).body).toMatchObject({ name: 'Me' });
    for (const body of [
      { name: 'Me', permissions: ['users:write'] },
      { orgId: team.b },
      { isPlatformAdmin: true },
    ]) {
      expect(refusalOf(await patch('admin', admin, body))).toStrictEqual([409, 'own_account']);
    }
    for (const [method, path] of [
      ['POST', 'mfa-reset'],
      ['POST', 'invitation'],
      ['DELETE', ''],
      ['DELETE', 'sessions'],
      ['DELETE', `sessions/${newId()}`],
      ['DELETE', 'api-keys'],
      ['DELETE', `api-keys/${newId()}`],
    ] as const) {
      for (const [who, user] of [
        ['admin', admin],
        ['member', team.people.member],
      ] as const) {
        const answer = await as(who, null)(method, `${USERS}/${user.id}/${path}`.replace(/\/$/, ''));
        expect([path, ...refusalOf(answer)]).toStrictEqual([path, 409, 'own_account']);
      }
    }
  });

  test.each(['admin', 'partner', 'partner in A', 'partner in none', 'system'] as const)(
    '"%s" can change their own name, even if they do not reach themselves',
    async (name) => {
      const self = team.people[name];
      const answer = await patch(name, self, { name: 'Myself' });
      expect(answer.body).toMatchObject({ id: self.id, name: 'Myself' });
      expect((await meOf(self)).body).toMatchObject({ name: 'Myself' });
      expect(await service.recordedOf(team, self)).toMatchObject([
        { action: 'user.updated', result: 'success', resourceId: self.id, details: { fields: ['name'] } },
      ]);
      expect(refusalOf(await patch(name, self, { status: 'active' }))).toStrictEqual([409, 'own_account']);
    },
  );

  test('nobody can give a right that they lack, or change a person who has one', async () => {
    const { member } = team.people;
    const writer = await service.addMember(team, { permissions: ['devices:write'] });
    const platformAdmin = await service.addMember(team, { isPlatformAdmin: true });
    const exceeds = [403, 'exceeds_own_rights'];
    expect(refusalOf(await patch('admin', member, { permissions: ['devices:write'] }))).toStrictEqual(
      exceeds,
    );
    expect(refusalOf(await patch('admin', member, { isPlatformAdmin: true }))).toStrictEqual(exceeds);
    expect(refusalOf(await patch('admin', member, { scope: 'system' }))).toStrictEqual(exceeds);
    for (const other of [writer, platformAdmin]) {
      for (const body of [{ name: 'x' }, { status: 'disabled' }, { permissions: [] }]) {
        expect(refusalOf(await patch('admin', other, body))).toStrictEqual(exceeds);
      }
      const reset = await as('admin')('POST', `${USERS}/${other.id}/mfa-reset`);
      expect(refusalOf(reset)).toStrictEqual(exceeds);
      expect(refusalOf(await as('admin')('DELETE', `${USERS}/${other.id}/sessions`))).toStrictEqual(exceeds);
    }
    expect(await statusOf(writer)()).toMatchObject({ name: writer.name, status: 'active' });
  });

  test('an unknown tenant and one out of reach are the same 403', async () => {
    const { member } = team.people;
    const answers = [
      await patch('admin', member, { orgId: team.b }),
      await patch('admin', member, { orgId: newId() }),
      await patch('admin', member, { partnerId: team.p }),
      await patch('admin', member, { partnerId: newId() }),
      await patch('partner in A', member, { partnerId: team.p, orgIds: [team.a] }),
      await patch('partner', member, { partnerId: team.p, orgIds: [team.a, newId()] }),
      await patch('system', member, { orgId: newId() }),
      await patch('system', member, { partnerId: newId() }),
      await patch('system', member, { partnerId: team.p, orgIds: [newId()] }),
    ];
    const [first] = answers;
    for (const answer of answers) {
      expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
      expect({ ...(answer.body as object), requestId: '' }).toStrictEqual({
        ...(first?.body as object),
        requestId: '',
      });
    }
  });

  test('an API key cannot change a person', async () => {
    const { member, system } = team.people;
    const { body } = await service.by(system)('POST', '/api/v1/auth/api-keys', {
      name: 'Robot',
      permissions: ['users:write'],
    });
    const { key } = body as { key: string };
    const byKey = (method: string, path: string, sent?: unknown) =>
      service.as('none')(method, path, sent, { 'X-API-Key': key });
    expect((await byKey('GET', `${USERS}/${member.id}`)).status).toBe(200);
    expect(refusalOf(await byKey('PATCH', `${USERS}/${member.id}`, { name: 'x' }))).toStrictEqual([
      403,
      'mfa_not_possible',
    ]);
    for (const list of ['sessions', 'api-keys']) {
      expect(refusalOf(await byKey('GET', `${USERS}/${member.id}/${list}`))).toStrictEqual([
        403,
        'forbidden',
      ]);
    }
  });
});

describe('moves', () => {
  test('a move changes the scope, ends tokens, and takes open deletion requests along', async () => {
    const { member } = team.people;
    await service.submit(member);
    const moved = await patch('partner', member, { orgId: team.b });
    expect(moved.body).toMatchObject({ scope: 'organization', orgId: team.b, organization: { name: 'B' } });
    expect((await meOf(member)).status).toBe(401);
    expect((await as('admin')('GET', `${USERS}/${member.id}`)).status).toBe(404);
    expect((await as('admin of B')('GET', REQUESTS)).body).toMatchObject({ total: 1 });
    expect((await as('admin')('GET', REQUESTS)).body).toMatchObject({ total: 0 });

    const staff = await patch('partner', member, { partnerId: team.p, orgIds: [team.a] });
    expect(staff.body).toMatchObject({ scope: 'partner', orgId: null, partnerId: team.p, orgIds: [team.a] });
    const whole = await patch('partner', member, { orgIds: null });
    expect(whole.body).toMatchObject({ scope: 'partner', partnerId: team.p, orgIds: null });
    const back = await patch('partner', member, { scope: 'organization', orgId: team.a });
    expect(back.body).toMatchObject({ scope: 'organization', orgId: team.a, partnerId: null, orgIds: null });

    const entries = await service.recordedOf(team, team.people.partner);
    expect(entries.map(({ action, orgId, details }) => [action, orgId, details])).toStrictEqual([
      ['user.updated', team.b, { fields: ['orgId'] }],
      ['user.updated', team.a, { fields: ['orgId'] }],
      ['user.updated', null, { fields: ['scope', 'orgId', 'partnerId', 'orgIds'] }],
      ['user.updated', team.b, { fields: ['scope', 'orgId', 'partnerId', 'orgIds'] }],
      ['user.updated', null, { fields: ['orgIds'] }],
      ['user.updated', team.a, { fields: ['scope', 'orgId', 'partnerId'] }],
      ['user.updated', null, { fields: ['scope', 'orgId', 'partnerId'] }],
    ]);
  });

  test('a move to another partner clears orgIds unless they are given', async () => {
    const subset = team.people['partner in A'];
    const other = await service.newTeam();
    const kept = await patch('system', subset, { partnerId: team.p });
    expect(kept.body).toMatchObject({ partnerId: team.p, orgIds: [team.a] });
    const moved = await patch('system', subset, { partnerId: other.p });
    expect(moved.body).toMatchObject({ scope: 'partner', partnerId: other.p, orgIds: null });
    const system = await patch('system', subset, { scope: 'system' });
    expect(system.body).toMatchObject({ scope: 'system', orgId: null, partnerId: null, orgIds: null });
  });
});

describe('sessions, keys and factors of others', () => {
  test('an administrator sees and ends sessions', async () => {
    const enrolled = await service.addEnrolledUser({ membership: { scope: 'organization', orgId: team.a } });
    const { user } = enrolled;
    for (let count = 0; count < 2; count++) await service.signInWithMfa(enrolled);
    const list = () => as('admin', null)('GET', `${USERS}/${user.id}/sessions`);
    const { data } = (await list()).body as {
      data: readonly { readonly id: string; readonly current: boolean }[];
    };
    expect(data.map(({ current }) => current)).toStrictEqual([false, false]);
    const one = `${USERS}/${user.id}/sessions/${data[0]?.id}`;
    expect((await as('admin of B')('DELETE', one)).status).toBe(404);
    expect((await as('admin')('DELETE', one)).status).toBe(204);
    expect((await as('admin')('DELETE', one)).status).toBe(404);
    expect(((await list()).body as { data: unknown[] }).data).toHaveLength(1);
    expect((await as('admin')('DELETE', `${USERS}/${user.id}/sessions`)).status).toBe(204);
    expect((await list()).body).toStrictEqual({ data: [] });
    const entries = await service.recordedOf(team, team.people.admin);
    expect(
      entries.map(({ action, result, resourceId, details }) => [action, result, resourceId, details]),
    ).toStrictEqual([
      ['user.session_ended', 'success', user.id, { sessionId: data[0]?.id }],
      ['user.session_ended', 'denied', user.id, { reason: 'not_found' }],
      ['user.session_ended', 'success', user.id, { ended: 1 }],
    ]);
  });

  test('an administrator sees and revokes API keys, and the person gets a mail for each', async () => {
    const { member } = team.people;
    const create = (name: string) => service.by(member)('POST', '/api/v1/auth/api-keys', { name });
    const [one, two] = [await create('One'), await create('Two')].map(
      ({ body }) => body as { id: string; key: string },
    );
    const list = () => as('admin')('GET', `${USERS}/${member.id}/api-keys`);
    const listed = await list();
    expect(listed.body).toMatchObject({ data: [{ name: 'Two' }, { name: 'One' }], total: 2 });
    expect(listed.text).not.toContain(one?.key);
    expect((await as('admin')('DELETE', `${USERS}/${member.id}/api-keys/${one?.id}`)).status).toBe(204);
    expect(
      (await service.as('none')('GET', '/api/v1/auth/me', undefined, { 'X-API-Key': one?.key ?? '' })).status,
    ).toBe(401);
    expect((await as('admin')('DELETE', `${USERS}/${member.id}/api-keys`)).status).toBe(204);
    expect((await list()).body).toStrictEqual({ data: [], total: 0 });
    expect(await mailsTo(member)).toStrictEqual([
      ...['api-key-created', 'api-key-created', 'api-key-revoked', 'api-key-revoked'],
    ]);
    expect(
      (await service.as('none')('GET', '/api/v1/auth/me', undefined, { 'X-API-Key': two?.key ?? '' })).status,
    ).toBe(401);
  });

  test('resetting MFA removes the factor and recovery codes, ends the sessions, sends a mail, and is audited', async () => {
    const enrolled = await service.addEnrolledUser({ membership: { scope: 'organization', orgId: team.a } });
    const { user } = enrolled;
    await service.signInWithMfa(enrolled);
    const { unitOfWork } = service.composition.backend;
    await unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.replaceRecoveryCodes(user.id, ['one']));
    const path = `${USERS}/${user.id}/mfa-reset`;
    expect((await as('admin of B')('POST', path)).status).toBe(404);
    expect((await as('admin', null)('POST', path)).status).toBe(401);
    expect((await as('admin')('POST', path)).status).toBe(204);
    expect(await statusOf(user)()).toMatchObject({ mfa: { totp: false, passkeys: 0 } });
    expect(await unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.takeRecoveryCode(user.id, 'one'))).toBe(false);
    expect(await mailsTo(user)).toStrictEqual(['mfa-removed']);
    expect((await as('admin')('GET', `${USERS}/${user.id}/sessions`)).body).toStrictEqual({ data: [] });
    const entries = await service.recordedOf(team, team.people.admin);
    expect(entries.at(-1)).toMatchObject({
      action: 'user.mfa_reset',
      result: 'success',
      resourceId: user.id,
      details: { hadFactor: true },
    });
  });

  test('resetting MFA of somebody without a factor ends the sessions, sends a mail, and is audited as such', async () => {
    const user = await service.addUser({ membership: { scope: 'organization', orgId: team.a } });
    await service.signIn(user);
    expect((await as('admin')('POST', `${USERS}/${user.id}/mfa-reset`)).status).toBe(204);
    expect(await mailsTo(user)).toStrictEqual(['mfa-removed']);
    expect((await as('admin')('GET', `${USERS}/${user.id}/sessions`)).body).toStrictEqual({ data: [] });
    expect((await service.recordedOf(team, team.people.admin)).at(-1)).toMatchObject({
      action: 'user.mfa_reset',
      resourceId: user.id,
      details: { hadFactor: false },
    });
  });
});

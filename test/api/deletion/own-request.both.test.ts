/** What people can do about the deletion of their own account (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  type MemberName,
  OWN,
  PASSWORD,
  requestOf,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { type Answer, FILTERS, problemOf, refusalOf } from '#test/api/service/service.ts';
import { anApiKey, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const GOOD = { password: PASSWORD };

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const iso = (ms: number) => new Date(ms).toISOString();
const refused = (answer: Answer) => refusalOf(answer).slice(0, 2);

describe('GET /auth/account-deletion-request', () => {
  test('answers data and latest as null if there never was a request', async () => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.member)('GET', OWN);
    expect([answer.status, answer.body]).toStrictEqual([200, { data: null, latest: null }]);
  });

  test('answers the pending request, and the latest whatever became of it', async () => {
    const { people } = await service.newTeam();
    const ask = service.by(people.member);
    const request = await service.submit(people.member);
    expect((await ask('GET', OWN)).body).toStrictEqual({ data: request, latest: request });
    const cancelled = requestOf(await ask('PATCH', `${OWN}/${request.id}`, { status: 'cancelled' }));
    expect((await ask('GET', OWN)).body).toStrictEqual({ data: null, latest: cancelled });
    const second = await service.submit(people.member);
    expect((await ask('GET', OWN)).body).toStrictEqual({ data: second, latest: second });
    await service.decide(people.admin, second.id, { action: 'approve' });
    expect((await ask('GET', OWN)).body).toMatchObject({
      data: null,
      latest: { id: second.id, status: 'processing' },
    });
  });

  test('needs no MFA, and takes an API key, which does not get the reason', async () => {
    const { people } = await service.newTeam();
    const key = anApiKey({ userId: people.member.id });
    await loadFleet(service.composition.backend, [key]);
    const request = await service.submit(people.member, 'I have left');
    const expected = { data: request, latest: request };
    expect((await service.by(people.member, null)('GET', OWN)).body).toStrictEqual(expected);
    const withKey = await service.composition.app.request(OWN, { headers: { 'X-API-Key': key.key } });
    const { reason, ...known } = request;
    expect(reason).toBe('I have left');
    expect(await withKey.json()).toStrictEqual({ data: known, latest: known });
  });
});

describe('POST /auth/account-deletion-request', () => {
  test('answers 201 with the request: pending, to be processed in 720 hours to the millisecond', async () => {
    const { a, people } = await service.newTeam();
    const answer = await service.by(people.member)('POST', OWN, { ...GOOD, reason: '  I have left ü 🖨 \n' });
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(UUID),
      userId: people.member.id,
      orgId: a,
      reason: 'I have left ü 🖨',
      status: 'pending',
      requestedAt: iso(service.now()),
      processBy: iso(service.now() + 2_592_000_000),
      processedAt: null,
      processedBy: null,
      adminNote: null,
      createdAt: iso(service.now()),
      updatedAt: iso(service.now()),
    });
  });

  test.each<[string, unknown, string | null]>([
    ['absent', undefined, null],
    ['null', null, null],
    ['empty', '', null],
    ['blank', ' \t\u00a0 ', null],
    ['2,000 characters', '🖨'.repeat(2000), '🖨'.repeat(2000)],
  ])('takes a reason that is %s', async (_what, reason, kept) => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.member)('POST', OWN, { ...GOOD, reason });
    expect([answer.status, requestOf(answer).reason]).toStrictEqual([201, kept]);
  });

  test('answers 200 with the pending request, and leaves it unchanged', async () => {
    const { people } = await service.newTeam();
    const first = await service.submit(people.member, 'the first reason');
    service.pass(60);
    const answer = await service.by(people.member)('POST', OWN, { ...GOOD, reason: 'another' });
    expect([answer.status, answer.body]).toStrictEqual([200, first]);
    expect(await service.recordedOf(await service.newTeam(), people.member)).toHaveLength(1);
  });

  test('answers 409 while an approved request is in processing', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const { id } = await service.submit(people.member);
    await service.decide(people.admin, id, { action: 'approve' });
    const answer = await service.by(people.member)('POST', OWN, GOOD);
    expect(refused(answer)).toStrictEqual([409, 'deletion_already_approved']);
    expect((await service.recordedOf(team, people.member)).at(-1)).toMatchObject({
      action: 'user.account_deletion.requested',
      result: 'denied',
      details: { reason: 'deletion_already_approved' },
    });
  });

  test('makes a new request after a cancellation, and after a rejection', async () => {
    const { people } = await service.newTeam();
    const first = await service.submit(people.member);
    await service.by(people.member)('PATCH', `${OWN}/${first.id}`, { status: 'cancelled' });
    const second = await service.submit(people.member);
    await service.decide(people.admin, second.id, { action: 'reject', adminNote: 'no' });
    const third = await service.submit(people.member);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect(third.status).toBe('pending');
  });

  test.each<[string, string]>([
    ['spaces around it', '  spaces around it  '],
    ['any letters', 'pässwörd 🔑 ﬁ'],
  ])('takes a password exactly as it was typed: %s', async (_what, password) => {
    const member = await service.addMember(await service.newTeam(), { password });
    const ask = service.by(member);
    for (const wrong of [password.trim(), `${password} `, password.normalize('NFKD'), '']) {
      if (wrong === password) continue;
      expect(refused(await ask('POST', OWN, { password: wrong }))).toStrictEqual([403, 'invalid_password']);
    }
    expect((await ask('POST', OWN, { password })).status).toBe(201);
  });

  test('leaves the account usable', async () => {
    const { people } = await service.newTeam();
    await service.submit(people.member);
    expect((await service.by(people.member)('GET', FILTERS)).status).toBe(200);
  });

  test('answers two at once with a 201 and a 200, and the same request', async () => {
    const { people } = await service.newTeam();
    const answers = await Promise.all([1, 2].map(() => service.by(people.member)('POST', OWN, GOOD)));
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 201]);
    expect(answers[0]?.body).toStrictEqual(answers[1]?.body);
  });

  test.each<[MemberName, readonly MemberName[]]>([
    ['member', ['admin']],
    ['admin', ['partner', 'partner in A']],
    ['admin of B', ['partner']],
    ['partner in A', ['partner']],
  ])('by %s: a review link goes to the nearest administrators, %j', async (by, reviewers) => {
    const team = await service.newTeam();
    const shut = await service.addMember(team, { permissions: ['users:write'] });
    await service.probe.changeUser(shut.id, { status: 'disabled' });
    const { id } = await service.submit(team.people[by]);
    expect(await service.mailedTo(id, 'deletion-review')).toStrictEqual(
      reviewers.map((name) => team.people[name].id).toSorted(),
    );
  });

  test('by the last one of a partner or the system: a review link goes to the platform administrators', async () => {
    const team = await service.newTeam();
    const platformAdmin = (membership: Membership) =>
      service.addMember(team, { membership, permissions: ['users:write'], isPlatformAdmin: true });
    const [one, other] = [await platformAdmin({ scope: 'system' }), await platformAdmin({ scope: 'system' })];
    // They cannot see the requests.
    await platformAdmin({ scope: 'organization', orgId: team.b });
    const told = async (by: UserRecord) => service.mailedTo((await service.submit(by)).id, 'deletion-review');
    for (const name of ['partner', 'other partner', 'system'] as const) {
      expect(await told(team.people[name])).toStrictEqual([one.id, other.id].toSorted());
    }
    expect(await told(one)).toStrictEqual([other.id]);
    for (const { id } of [one, other]) await service.probe.changeUser(id, { status: 'disabled' });
    expect(await told(await platformAdmin({ scope: 'system' }))).toStrictEqual([]);
  });
});

describe('PATCH /auth/account-deletion-request/:id', () => {
  test('cancels: 200 with the request, and no rejection mail', async () => {
    const team = await service.newTeam();
    const request = await service.submit(team.people.member, 'I have left');
    service.pass(5);
    const answer = await service.by(team.people.member, null)('PATCH', `${OWN}/${request.id}`, {
      status: 'cancelled',
      reason: 'ignored',
    });
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      { ...request, status: 'cancelled', updatedAt: iso(service.now()) },
    ]);
    expect((await service.recordedOf(team, team.people.member)).at(-1)).toMatchObject({
      action: 'user.account_deletion.cancelled',
      result: 'success',
      resourceId: request.id,
      orgId: team.a,
    });
    expect(await service.mailedTo(request.id, 'deletion-rejected')).toStrictEqual([]);
  });

  test("another's request, an unknown one and a malformed id are the same 404", async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const ids = [id, newId(), 'nonsense', `${id}0`];
    for (const by of ['admin', 'partner', 'system'] as const) {
      const answers = [];
      for (const path of ids)
        answers.push(await service.by(people[by])('PATCH', `${OWN}/${path}`, { status: 'cancelled' }));
      const bodies = answers.map((answer) => ({ ...problemOf(answer), requestId: null }));
      expect(bodies.map(({ status, code }) => [status, code])).toStrictEqual(
        ids.map(() => [404, 'not_found']),
      );
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    }
    expect(await service.by(people.member)('GET', OWN)).toMatchObject({ body: { data: { id } } });
  });

  test.each(['cancelled', 'approved', 'rejected'])('a request that was %s is 409', async (how) => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const cancel = () => service.by(people.member)('PATCH', `${OWN}/${id}`, { status: 'cancelled' });
    if (how === 'cancelled') await cancel();
    else
      await service.decide(people.admin, id, {
        action: how === 'approved' ? 'approve' : 'reject',
        adminNote: 'x',
      });
    expect(refused(await cancel())).toStrictEqual([409, 'conflict']);
  });

  test.each([
    {},
    { status: null },
    { status: 'pending' },
    { status: 'completed' },
    { status: ['cancelled'] },
  ])('any status but cancelled is 400: %j', async (body) => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const answer = await service.by(people.member)('PATCH', `${OWN}/${id}`, body);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['status', 'invalid_value']]);
  });
});

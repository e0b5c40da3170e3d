/** Account deletion through the whole service, a row for each line of the contract (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  AUDIT_LOG,
  auditOf,
  type DeletionService,
  type MemberName,
  OWN,
  PASSWORD,
  pageOf,
  REQUESTS,
  requestOf,
  startDeletionService,
  type Team,
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

/** What was put on record of a person's doings, oldest first. */
async function recordedOf(team: Team, user: UserRecord) {
  const page = auditOf(
    await service.by(team.people.system)('GET', `${AUDIT_LOG}?actorId=${user.id}&limit=200`),
  );
  return page.data.toReversed();
}

function decide(by: UserRecord, id: string, body: object, mfaAgeSeconds?: number | null): Promise<Answer> {
  return service.by(by, mfaAgeSeconds)('POST', `${REQUESTS}/${id}/process`, body);
}

/** Whom a mail of this kind about the request is queued for. */
async function mailedTo(id: string, kind: string): Promise<readonly string[]> {
  const mails = await service.probe.mailsAbout(id);
  return mails.filter((mail) => mail.kind === kind).map(({ userId }) => userId);
}

describe('GET /auth/account-deletion-request', () => {
  test('answers null twice where there was never a request', async () => {
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
    await decide(people.admin, second.id, { action: 'approve' });
    expect((await ask('GET', OWN)).body).toMatchObject({
      data: null,
      latest: { id: second.id, status: 'processing' },
    });
  });

  test('needs no MFA, and takes an API key', async () => {
    const { people } = await service.newTeam();
    const key = anApiKey({ userId: people.member.id });
    await loadFleet(service.composition.backend, [key]);
    const request = await service.submit(people.member);
    const expected = { data: request, latest: request };
    expect((await service.by(people.member, null)('GET', OWN)).body).toStrictEqual(expected);
    const withKey = await service.composition.app.request(OWN, { headers: { 'X-API-Key': key.key } });
    expect(await withKey.json()).toStrictEqual(expected);
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

  test('answers 200 with the one that is pending, and changes nothing about it', async () => {
    const { people } = await service.newTeam();
    const first = await service.submit(people.member, 'the first reason');
    service.pass(60);
    const answer = await service.by(people.member)('POST', OWN, { ...GOOD, reason: 'another' });
    expect([answer.status, answer.body]).toStrictEqual([200, first]);
    expect(await recordedOf(await service.newTeam(), people.member)).toHaveLength(1);
  });

  test('answers 409 while an approved one is in processing', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const { id } = await service.submit(people.member);
    await decide(people.admin, id, { action: 'approve' });
    const answer = await service.by(people.member)('POST', OWN, GOOD);
    expect(refused(answer)).toStrictEqual([409, 'deletion_already_approved']);
    expect((await recordedOf(team, people.member)).at(-1)).toMatchObject({
      action: 'user.account_deletion.requested',
      result: 'denied',
      details: { reason: 'deletion_already_approved' },
    });
  });

  test('can be made again after it was cancelled, and after it was rejected', async () => {
    const { people } = await service.newTeam();
    const first = await service.submit(people.member);
    await service.by(people.member)('PATCH', `${OWN}/${first.id}`, { status: 'cancelled' });
    const second = await service.submit(people.member);
    await decide(people.admin, second.id, { action: 'reject', adminNote: 'no' });
    const third = await service.submit(people.member);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect(third.status).toBe('pending');
  });

  test.each<[string, string]>([
    ['spaces around it', '  spaces around it  '],
    ['whatever letters', 'pässwörd 🔑 ﬁ'],
  ])('takes a password exactly as it was typed: %s', async (_what, password) => {
    const member = await service.addMember(await service.newTeam(), { password });
    const ask = service.by(member);
    for (const wrong of [password.trim(), `${password} `, password.normalize('NFKD'), '']) {
      if (wrong === password) continue;
      expect(refused(await ask('POST', OWN, { password: wrong }))).toStrictEqual([403, 'invalid_password']);
    }
    expect((await ask('POST', OWN, { password })).status).toBe(201);
  });

  test('leaves the account as it is', async () => {
    const { people } = await service.newTeam();
    await service.submit(people.member);
    expect((await service.by(people.member)('GET', FILTERS)).status).toBe(200);
  });

  describe('checks first who asks, then MFA, then the body, then the rate, then the password, then what is pending', () => {
    test('401 for nobody, whatever else is wrong', async () => {
      const answer = await service.ask('POST', OWN, 'not json');
      expect([...refused(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
        401,
        'unauthenticated',
        'Bearer',
      ]);
    });

    test.each<[string, number | null, boolean, number, string]>([
      ['MFA of 901 seconds ago', 901, true, 401, 'mfa_required'],
      ['MFA never passed', null, true, 401, 'mfa_required'],
      ['MFA not set up', null, false, 403, 'mfa_enrollment_required'],
    ])(
      '%s, before the body is looked at; it goes on record',
      async (_what, age, isEnrolled, status, code) => {
        const team = await service.newTeam();
        const member = await service.addMember(team, isEnrolled ? {} : { totpSecret: null });
        for (const body of [GOOD, 'not json', { password: 5 }]) {
          const answer = await service.by(member, age)('POST', OWN, body);
          expect(refused(answer)).toStrictEqual([status, code]);
          expect(answer.headers.get('www-authenticate')).toBe(
            status === 401 ? 'Bearer error="insufficient_user_authentication", max_age="900"' : null,
          );
        }
        const entries = await recordedOf(team, member);
        expect(
          entries.map(({ action, result, details, orgId }) => [action, result, details, orgId]),
        ).toStrictEqual(
          Array.from({ length: 3 }, () => [
            'user.account_deletion.requested',
            'denied',
            { reason: code },
            team.a,
          ]),
        );
      },
    );

    test('MFA of 900 seconds ago will do', async () => {
      const { people } = await service.newTeam();
      expect((await service.by(people.member, 900)('POST', OWN, GOOD)).status).toBe(201);
    });

    test('an API key cannot pass MFA; it goes on record', async () => {
      const team = await service.newTeam();
      const key = anApiKey({ userId: team.people.member.id });
      await loadFleet(service.composition.backend, [key]);
      const response = await service.composition.app.request(OWN, {
        method: 'POST',
        headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
        body: JSON.stringify(GOOD),
      });
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'mfa_not_possible' }]);
      const page = await service.by(team.people.system)('GET', `${AUDIT_LOG}?actorId=${key.id}`);
      expect(auditOf(page).data).toMatchObject([
        { actor: { type: 'api_key', id: key.id }, result: 'denied', details: { reason: 'mfa_not_possible' } },
      ]);
    });

    test.each<[string, unknown, readonly (number | string | readonly string[])[]]>([
      ['no JSON', '{"password"', [400, 'invalid_json']],
      ['an empty body', '', [400, 'invalid_json']],
      ['an array', [], [400, 'validation_failed', ['', 'not_an_object']]],
      ['no password', {}, [400, 'validation_failed', ['password', 'value_required']]],
      [
        'a password that is no text',
        { password: 12345678 },
        [400, 'validation_failed', ['password', 'value_required']],
      ],
      [
        'a reason that is no text',
        { ...GOOD, reason: 5 },
        [400, 'validation_failed', ['reason', 'invalid_value']],
      ],
      [
        'a reason of 2,001 characters',
        { ...GOOD, reason: 'x'.repeat(2001) },
        [400, 'validation_failed', ['reason', 'invalid_value']],
      ],
      [
        'a NUL in the reason',
        { ...GOOD, reason: 'a\u0000' },
        [400, 'validation_failed', ['reason', 'invalid_value']],
      ],
      [
        'all of it',
        { password: null, reason: false },
        [400, 'validation_failed', ['password', 'value_required'], ['reason', 'invalid_value']],
      ],
    ])('%s is refused, counts for nothing and leaves nothing', async (_what, body, refusal) => {
      const team = await service.newTeam();
      const ask = service.by(team.people.member);
      for (let i = 0; i < 6; i++) expect(refusalOf(await ask('POST', OWN, body))).toStrictEqual(refusal);
      expect(await recordedOf(team, team.people.member)).toStrictEqual([]);
      expect((await ask('POST', OWN, GOOD)).status).toBe(201);
    });

    test('a body that is not said to be JSON is 415, one that is too large 413', async () => {
      const { people } = await service.newTeam();
      const ask = service.by(people.member);
      const type = { 'Content-Type': 'text/plain' };
      expect(refused(await ask('POST', OWN, GOOD, type))).toStrictEqual([415, 'unsupported_media_type']);
      const huge = { ...GOOD, reason: 'x'.repeat(1_100_000) };
      expect(refused(await ask('POST', OWN, huge))).toStrictEqual([413, 'payload_too_large']);
    });

    test('a wrong password is 403, goes on record, and says nothing of what is pending', async () => {
      const team = await service.newTeam();
      const { member } = team.people;
      await service.submit(member);
      const answer = await service.by(member)('POST', OWN, { password: 'wrong horse' });
      expect(refused(answer)).toStrictEqual([403, 'invalid_password']);
      expect((await recordedOf(team, member)).at(-1)).toMatchObject({
        action: 'user.account_deletion.requested',
        result: 'denied',
        resourceType: 'account_deletion_request',
        resourceId: null,
        details: { reason: 'invalid_password' },
      });
      expect(await service.by(member)('GET', OWN)).toMatchObject({ body: { data: { status: 'pending' } } });
    });

    test('the sixth try within 5 minutes is 429, good or bad, and goes on record once', async () => {
      const team = await service.newTeam();
      const { member } = team.people;
      const ask = service.by(member);
      for (const password of ['bad', PASSWORD, 'bad', PASSWORD, 'bad']) await ask('POST', OWN, { password });
      service.pass(10);
      for (const password of [PASSWORD, 'bad']) {
        const answer = await ask('POST', OWN, { password });
        expect([...refused(answer), answer.headers.get('retry-after')]).toStrictEqual([
          429,
          'rate_limited',
          '290',
        ]);
      }
      const reasons = (await recordedOf(team, member)).map(({ details }) => details.reason ?? 'success');
      expect(reasons).toStrictEqual([
        'invalid_password',
        'success',
        'invalid_password',
        'invalid_password',
        'rate_limited',
      ]);
      service.pass(290);
      expect((await ask('POST', OWN, GOOD)).status).toBe(200);
    });

    test('tries are counted for the user, from whatever address, and for nobody else', async () => {
      const { people } = await service.newTeam();
      const statuses = [];
      for (let i = 0; i < 7; i++) {
        const ask = service.by(people.member);
        const headers = { 'X-Forwarded-For': `198.51.100.${i}` };
        statuses.push((await ask('POST', OWN, { password: 'bad' }, headers)).status);
      }
      expect(statuses).toStrictEqual([403, 403, 403, 403, 403, 429, 429]);
      expect((await service.by(people.admin)('POST', OWN, GOOD)).status).toBe(201);
    });
  });

  test('two at once are one 201 and one 200 with the same request', async () => {
    const { people } = await service.newTeam();
    const answers = await Promise.all([1, 2].map(() => service.by(people.member)('POST', OWN, GOOD)));
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 201]);
    expect(answers[0]?.body).toStrictEqual(answers[1]?.body);
  });

  test.each<[MemberName, readonly MemberName[]]>([
    ['member', ['admin', 'partner', 'partner in A', 'system']],
    ['admin of B', ['admin of B', 'partner', 'system']],
    ['partner', ['partner', 'system']],
    ['partner in A', ['partner', 'system']],
    ['system', ['system']],
  ])(
    'by %s: a review link goes to every active holder of users:write who can see it',
    async (by, reviewers) => {
      const team = await service.newTeam();
      const shut = await service.addMember(team, { permissions: ['users:write'] });
      await service.probe.changeUser(shut.id, { status: 'disabled' });
      const { id } = await service.submit(team.people[by]);
      const ids = new Set(
        Object.values(team.people)
          .map(({ id: userId }) => userId as string)
          .concat(shut.id),
      );
      // The system's staff of other teams are told as well.
      const own = (await mailedTo(id, 'deletion-review')).filter((userId) => ids.has(userId));
      expect(own).toStrictEqual(reviewers.map((name) => team.people[name].id).toSorted());
    },
  );
});

describe('PATCH /auth/account-deletion-request/:id', () => {
  test('cancels: 200 with the request, and nobody is written to', async () => {
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
    expect((await recordedOf(team, team.people.member)).at(-1)).toMatchObject({
      action: 'user.account_deletion.cancelled',
      result: 'success',
      resourceId: request.id,
      orgId: team.a,
    });
    expect(await mailedTo(request.id, 'deletion-rejected')).toStrictEqual([]);
  });

  test("another's request, an unknown one and a malformed id are 404 alike", async () => {
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

  test.each(['cancelled', 'approved', 'rejected'])('one that was %s is 409', async (how) => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const cancel = () => service.by(people.member)('PATCH', `${OWN}/${id}`, { status: 'cancelled' });
    if (how === 'cancelled') await cancel();
    else
      await decide(people.admin, id, { action: how === 'approved' ? 'approve' : 'reject', adminNote: 'x' });
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

describe('GET /admin/account-deletion-requests', () => {
  test('answers the newest first, each with its user, and whether it is overdue', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const first = await service.submit(people.member, 'I have left');
    service.pass(60);
    const second = await service.submit(people['partner in A']);
    const answer = await service.by(people.partner)('GET', REQUESTS);
    const withUser = (request: object, { id, email, name }: UserRecord) => ({
      ...request,
      user: { id, email, name },
      overdue: false,
    });
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        data: [withUser(second, people['partner in A']), withUser(first, people.member)],
        total: 2,
        limit: 50,
        offset: 0,
      },
    ]);
  });

  test('selects by status, and pages what is left after that and after the scope', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const member = await service.addMember(team);
      ids.unshift((await service.submit(member)).id);
      // Of another organization, between two of ours.
      await service.submit(
        await service.addMember(team, { membership: { scope: 'organization', orgId: team.b } }),
      );
      service.pass(1);
    }
    const [cancelled, approved] = [ids[4] ?? '', ids[2] ?? ''];
    await decide(people.admin, cancelled, { action: 'reject', adminNote: 'no' });
    await decide(people.admin, approved, { action: 'approve' });
    const list = async (query: string) =>
      pageOf(await service.by(people.admin)('GET', `${REQUESTS}${query}`));
    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await idsOf('')).toStrictEqual(ids);
    expect(await idsOf('?status=pending')).toStrictEqual([ids[0], ids[1], ids[3]]);
    expect(await idsOf('?status=processing')).toStrictEqual([approved]);
    expect(await idsOf('?status=cancelled')).toStrictEqual([cancelled]);
    expect(await idsOf('?status=completed')).toStrictEqual([]);
    expect(await idsOf('?limit=2')).toStrictEqual(ids.slice(0, 2));
    expect(await idsOf('?limit=2&offset=2')).toStrictEqual(ids.slice(2, 4));
    expect(await idsOf('?limit=2&offset=4')).toStrictEqual(ids.slice(4));
    expect(await idsOf('?status=pending&limit=1&offset=1')).toStrictEqual([ids[1]]);
    expect(await list('?limit=200&offset=5')).toStrictEqual({ data: [], total: 5, limit: 200, offset: 5 });
    expect(await list('?status=pending&limit=1')).toMatchObject({ total: 3, limit: 1, offset: 0 });
  });

  test.each<[string, readonly string[]]>([
    ['status=', ['status', 'invalid_value']],
    ['status=approved', ['status', 'invalid_value']],
    ['status=Pending', ['status', 'invalid_value']],
    ['status=pending&status=completed', ['status', 'repeated_parameter']],
    ['limit=0', ['limit', 'out_of_range']],
    ['limit=201', ['limit', 'out_of_range']],
    ['limit=1.5', ['limit', 'out_of_range']],
    ['limit=abc', ['limit', 'out_of_range']],
    ['limit=', ['limit', 'out_of_range']],
    ['limit=-1', ['limit', 'out_of_range']],
    ['offset=-1', ['offset', 'out_of_range']],
    ['offset=', ['offset', 'out_of_range']],
    ['offset=1e3', ['offset', 'out_of_range']],
    ['offset=1000000001', ['offset', 'out_of_range']],
  ])('%s is 400', async (query, fault) => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.admin)('GET', `${REQUESTS}?${query}`);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', fault]);
  });

  test('everything that is wrong is named at once', async () => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.admin)('GET', `${REQUESTS}?status=x&limit=0&offset=x`);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toStrictEqual(['status', 'limit', 'offset']);
  });

  test('what is past its time and not done is overdue', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const [pending, approved, cancelled] = [
      await service.submit(people.member),
      await service.submit(await service.addMember(team)),
      await service.submit(await service.addMember(team)),
    ];
    await decide(people.admin, approved.id, { action: 'approve' });
    await decide(people.admin, cancelled.id, { action: 'reject', adminNote: 'no' });
    const overdue = async () => {
      const { data } = pageOf(await service.by(people.admin)('GET', REQUESTS));
      return data.filter((request) => request.overdue).map(({ id }) => id);
    };
    service.pass(720 * 3600);
    expect(await overdue()).toStrictEqual([]);
    service.pass(0.001);
    expect(await overdue()).toStrictEqual([approved.id, pending.id]);
    const one = await service.by(people.admin)('GET', `${REQUESTS}/${pending.id}`);
    expect(one.body).toMatchObject({ overdue: true });
  });
});

/** Whose requests each administrator sees, of a member of A, somebody of B, and partner staff. */
const SEEN: readonly (readonly [MemberName, readonly MemberName[]])[] = [
  ['admin', ['member']],
  ['admin of B', ['admin of B']],
  ['partner', ['member', 'admin of B', 'partner', 'partner in A']],
  ['partner in A', ['member']],
  ['partner in none', []],
  ['other partner', []],
  ['system', ['member', 'admin of B', 'partner', 'partner in A']],
];

describe.each(SEEN)('to %s', (viewer, seen) => {
  test(`the requests of ${seen.join(', ') || 'nobody'} are there, in the list, the count and one by one`, async () => {
    const { people } = await service.newTeam();
    const ask = service.by(people[viewer]);
    const requests = new Map<string, MemberName>();
    for (const name of ['member', 'admin of B', 'partner', 'partner in A'] as const) {
      requests.set((await service.submit(people[name])).id, name);
    }
    const listed = pageOf(await ask('GET', `${REQUESTS}?limit=200`)).data.flatMap(
      ({ id }) => requests.get(id) ?? [],
    );
    expect(listed.toReversed()).toStrictEqual(seen);
    if (viewer !== 'system') {
      const count = await ask('GET', `${REQUESTS}/pending-count`);
      expect([count.status, count.body]).toStrictEqual([200, { count: seen.length }]);
    }
    for (const [id, name] of requests) {
      const isSeen = seen.includes(name);
      const found = await ask('GET', `${REQUESTS}/${id}`);
      expect(found.status).toBe(isSeen ? 200 : 404);
      if (!isSeen) {
        expect(refused(await decide(people[viewer], id, { action: 'approve' }))).toStrictEqual([
          404,
          'not_found',
        ]);
      }
    }
  });
});

test('the pending count counts what is pending', async () => {
  const team = await service.newTeam();
  const count = async () => (await service.by(team.people.admin)('GET', `${REQUESTS}/pending-count`)).body;
  expect(await count()).toStrictEqual({ count: 0 });
  const { id } = await service.submit(team.people.member);
  await service.submit(await service.addMember(team));
  expect(await count()).toStrictEqual({ count: 2 });
  await decide(team.people.admin, id, { action: 'approve' });
  expect(await count()).toStrictEqual({ count: 1 });
});

test('an unknown request and a malformed id are 404', async () => {
  const { people } = await service.newTeam();
  for (const id of [newId(), 'nonsense', '../filters']) {
    expect((await service.by(people.system)('GET', `${REQUESTS}/${id}`)).status).toBe(404);
    expect((await decide(people.system, id, { action: 'approve' })).status).toBe(404);
  }
});

describe('without users:write', () => {
  test.each<[string, string]>([
    ['GET', REQUESTS],
    ['GET', `${REQUESTS}/pending-count`],
    ['GET', `${REQUESTS}/:id`],
    ['POST', `${REQUESTS}/:id/process`],
    ['GET', AUDIT_LOG],
  ])('%s %s is 403, platform administrator or not', async (method, path) => {
    const team = await service.newTeam();
    const { id } = await service.submit(team.people.member);
    const platformAdmin = await service.addMember(team, { isPlatformAdmin: true });
    for (const user of [team.people.member, platformAdmin]) {
      const answer = await service.by(user)(
        method,
        path.replace(':id', id),
        method === 'GET' ? undefined : { action: 'approve' },
      );
      expect(refused(answer)).toStrictEqual([403, 'forbidden']);
    }
  });

  test.each<[string, string]>([
    ['GET', OWN],
    ['PATCH', `${OWN}/${newId()}`],
    ['GET', REQUESTS],
    ['GET', `${REQUESTS}/pending-count`],
    ['GET', `${REQUESTS}/${newId()}`],
    ['POST', `${REQUESTS}/${newId()}/process`],
    ['GET', AUDIT_LOG],
  ])('%s %s is 401 for nobody', async (method, path) => {
    expect(refused(await service.ask(method, path))).toStrictEqual([401, 'unauthenticated']);
  });
});

describe('POST /admin/account-deletion-requests/:id/process', () => {
  test('approves: 200, in processing, with who decided when, and the user is told the date', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const request = await service.submit(member, 'I have left');
    service.pass(3600);
    const answer = await decide(admin, request.id, { action: 'approve', adminNote: ' as asked ' });
    const approved = {
      ...request,
      status: 'processing',
      processedAt: iso(service.now()),
      processedBy: admin.id,
      adminNote: 'as asked',
      updatedAt: iso(service.now()),
      user: { id: member.id, email: member.email, name: member.name },
      overdue: false,
    };
    expect([answer.status, answer.body]).toStrictEqual([200, approved]);
    expect((await service.by(admin)('GET', `${REQUESTS}/${request.id}`)).body).toStrictEqual(approved);
    expect(await mailedTo(request.id, 'deletion-approved')).toStrictEqual([member.id]);
    expect((await recordedOf(team, admin)).at(-1)).toMatchObject({
      actor: { type: 'user', id: admin.id },
      orgId: team.a,
      action: 'user.account_deletion.approved',
      result: 'success',
      resourceId: request.id,
      details: { userId: member.id, note: 'as asked' },
    });
  });

  test('approves without a note', async () => {
    const team = await service.newTeam();
    const { id } = await service.submit(team.people.member);
    const answer = await decide(team.people.admin, id, { action: 'approve' });
    expect(requestOf(answer)).toMatchObject({ status: 'processing', adminNote: null });
    expect((await recordedOf(team, team.people.admin)).at(-1)?.details).toStrictEqual({
      userId: team.people.member.id,
      note: null,
    });
  });

  test('rejects: 200, cancelled, the account goes on, and the user is told the note', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const { id } = await service.submit(member);
    const answer = await decide(admin, id, { action: 'reject', adminNote: ' talk to us\nfirst ' });
    expect(requestOf(answer)).toMatchObject({
      status: 'cancelled',
      adminNote: 'talk to us\nfirst',
      processedBy: admin.id,
      processedAt: iso(service.now()),
    });
    expect(await service.by(member)('GET', OWN)).toMatchObject({
      body: { data: null, latest: { adminNote: 'talk to us\nfirst' } },
    });
    expect(
      (await service.probe.mailsAbout(id)).filter(({ kind }) => kind === 'deletion-rejected'),
    ).toMatchObject([{ userId: member.id, email: member.email, facts: { adminNote: 'talk to us\nfirst' } }]);
    expect((await recordedOf(team, admin)).at(-1)).toMatchObject({
      action: 'user.account_deletion.rejected',
      result: 'success',
      details: { note: 'talk to us\nfirst' },
    });
  });

  test.each<[object, readonly (number | string | readonly string[])[]]>([
    [{ action: 'reject' }, [400, 'admin_note_required']],
    [{ action: 'reject', adminNote: null }, [400, 'admin_note_required']],
    [{ action: 'reject', adminNote: ' \n\t' }, [400, 'admin_note_required']],
    [
      { action: 'reject', adminNote: 'x'.repeat(2001) },
      [400, 'validation_failed', ['adminNote', 'invalid_value']],
    ],
    [
      { action: 'approve', adminNote: 'x'.repeat(2001) },
      [400, 'validation_failed', ['adminNote', 'invalid_value']],
    ],
    [{ action: 'approve', adminNote: 5 }, [400, 'validation_failed', ['adminNote', 'invalid_value']]],
    [{ action: 'delete' }, [400, 'validation_failed', ['action', 'invalid_value']]],
    [{}, [400, 'validation_failed', ['action', 'invalid_value']]],
  ])('%j is refused, and changes nothing', async (body, refusal) => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    expect(refusalOf(await decide(people.admin, id, body))).toStrictEqual(refusal);
    expect(await service.by(people.member)('GET', OWN)).toMatchObject({ body: { data: { id } } });
  });

  test.each<[string, number | null, readonly [number, string]]>([
    ['MFA of 901 seconds ago', 901, [401, 'mfa_required']],
    ['MFA never passed', null, [401, 'mfa_required']],
  ])('%s will not do, and goes on record', async (_what, age, refusal) => {
    const team = await service.newTeam();
    const { id } = await service.submit(team.people.member);
    const answer = await decide(team.people.admin, id, { action: 'reject', adminNote: 'no' }, age);
    expect(refused(answer)).toStrictEqual(refusal);
    expect((await recordedOf(team, team.people.admin)).at(-1)).toMatchObject({
      action: 'user.account_deletion.rejected',
      result: 'denied',
      resourceId: id,
      details: { reason: 'mfa_required' },
    });
  });

  test('an API key lists and reads, and cannot decide', async () => {
    const { people } = await service.newTeam();
    const key = anApiKey({ userId: people.admin.id, permissions: ['users:write'] });
    await loadFleet(service.composition.backend, [key]);
    const { id } = await service.submit(people.member);
    const ask = (path: string, init: RequestInit = {}) =>
      service.composition.app.request(path, {
        ...init,
        headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
      });
    expect((await ask(REQUESTS)).status).toBe(200);
    expect((await ask(`${REQUESTS}/${id}`)).status).toBe(200);
    const answer = await ask(`${REQUESTS}/${id}/process`, { method: 'POST', body: '{"action":"approve"}' });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'mfa_not_possible' }]);
  });

  test.each(['admin', 'partner', 'system'] as const)(
    'an administrator may decide on their own: %s',
    async (name) => {
      const { people } = await service.newTeam();
      const { id } = await service.submit(people[name]);
      const answer = await decide(people[name], id, { action: 'approve' });
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { status: 'processing', processedBy: people[name].id },
      ]);
    },
  );

  test('a second decision is 409, and goes on record', async () => {
    const team = await service.newTeam();
    const { admin, partner, member } = team.people;
    const { id } = await service.submit(member);
    await decide(admin, id, { action: 'approve' });
    for (const body of [{ action: 'approve' }, { action: 'reject', adminNote: 'no' }]) {
      expect(refused(await decide(partner, id, body))).toStrictEqual([409, 'conflict']);
    }
    expect(await recordedOf(team, partner)).toMatchObject([
      { action: 'user.account_deletion.approved', result: 'denied', details: { reason: 'conflict' } },
      { action: 'user.account_deletion.rejected', result: 'denied', details: { reason: 'conflict' } },
    ]);
    expect(await mailedTo(id, 'deletion-rejected')).toStrictEqual([]);
  });

  test('two administrators at once: one wins, the other gets 409', async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const answers = await Promise.all([
      decide(people.admin, id, { action: 'approve' }),
      decide(people.partner, id, { action: 'reject', adminNote: 'no' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 409]);
  });
});

describe('other methods are 405', () => {
  test.each([
    ['DELETE', OWN, 'GET, HEAD, OPTIONS, POST'],
    ['GET', `${OWN}/${newId()}`, 'OPTIONS, PATCH'],
    ['POST', REQUESTS, 'GET, HEAD, OPTIONS'],
    ['POST', `${REQUESTS}/pending-count`, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${REQUESTS}/${newId()}`, 'GET, HEAD, OPTIONS'],
    ['GET', `${REQUESTS}/${newId()}/process`, 'OPTIONS, POST'],
    ['DELETE', AUDIT_LOG, 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, allow) => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.system)(method, path);
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, allow]);
  });
});

describe('the back office', () => {
  test('erases when the time has come: the request is completed, tokens and keys stop at once', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const key = anApiKey({ userId: member.id });
    await loadFleet(service.composition.backend, [key]);
    const { id, processBy } = await service.submit(member, 'I have left');
    await decide(admin, id, { action: 'approve', adminNote: 'as asked' });
    service.pass((Date.parse(processBy) - service.now() - 1) / 1000);
    await service.composition.completeDeletions();
    expect((await service.by(member)('GET', FILTERS)).status).toBe(200);
    service.pass(0.001);
    await service.composition.completeDeletions();
    const statuses = async () => [
      (await service.by(member)('GET', FILTERS)).status,
      (await service.composition.app.request(FILTERS, { headers: { 'X-API-Key': key.key } })).status,
    ];
    await expect.poll(statuses, { timeout: 2_000, interval: 20 }).toStrictEqual([401, 401]);
    const login = { email: member.email, password: PASSWORD };
    expect(refused(await service.ask('POST', '/api/v1/auth/login', login))).toStrictEqual([
      401,
      'invalid_credentials',
    ]);
    expect((await service.by(admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
      status: 'completed',
      reason: null,
      adminNote: null,
      processedBy: admin.id,
      updatedAt: iso(service.now()),
      user: { id: member.id, email: null, name: null },
      overdue: false,
    });
    const page = auditOf(await service.by(admin)('GET', `${AUDIT_LOG}?resourceId=${id}`));
    expect(page.data).toMatchObject([
      { action: 'user.account_deletion.completed', actor: { type: 'system', id: null }, orgId: team.a },
      { action: 'user.account_deletion.approved', details: { userId: member.id, note: null } },
      { action: 'user.account_deletion.requested' },
    ]);
    const mails = (await service.probe.mailsAbout(id)).filter(({ userId }) => userId === member.id);
    expect(mails.map(({ kind, status, email }) => ({ kind, status, email }))).toStrictEqual([
      { kind: 'deletion-approved', status: 'withdrawn', email: null },
      { kind: 'deletion-completed', status: 'queued', email: member.email },
    ]);
  });

  test('erases whoever was shut out after the approval as well, and tells them', async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    await decide(people.admin, id, { action: 'approve' });
    await service.probe.changeUser(people.member.id, { status: 'disabled' });
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    expect((await service.by(people.admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
      status: 'completed',
      user: { email: null },
    });
    expect(await mailedTo(id, 'deletion-completed')).toStrictEqual([people.member.id]);
  });

  test('leaves the filters that the person made, with their references', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const filter = await service.by(member)('POST', FILTERS, {
      name: 'Mine',
      conditions: { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: 'x' }] },
    });
    const { id } = await service.submit(member);
    await decide(admin, id, { action: 'approve' });
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    const { id: filterId } = filter.body as { id: string };
    expect((await service.by(admin)('GET', `${FILTERS}/${filterId}`)).body).toMatchObject({
      createdBy: member.id,
    });
  });
});

test('the whole way by signing in with a code', async () => {
  const team = await service.newTeam();
  const { member, admin } = team.people;
  const signIn = async (user: UserRecord) =>
    (await service.signInWithMfa({ user, totpSecret: user.totpSecret ?? '' })).accessToken;
  const submitted = await service.ask('POST', OWN, GOOD, await signIn(member));
  expect(submitted.status).toBe(201);
  const path = `${REQUESTS}/${requestOf(submitted).id}/process`;
  const approved = await service.ask('POST', path, { action: 'approve' }, await signIn(admin));
  expect(requestOf(approved).status).toBe('processing');
});

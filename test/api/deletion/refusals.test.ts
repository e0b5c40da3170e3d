/** Refusals of deletion requests, and the order of the checks (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AUDIT_LOG,
  auditOf,
  type DeletionService,
  OWN,
  PASSWORD,
  REQUESTS,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { anApiKey, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const GOOD = { password: PASSWORD };

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const refused = (answer: Answer) => refusalOf(answer).slice(0, 2);

describe('POST /auth/account-deletion-request checks in turn caller, MFA, body, rate, password and request', () => {
  test('a request without a credential is 401, whatever else is wrong', async () => {
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
  ])('%s is refused before the body is read, and audited', async (_what, age, isEnrolled, status, code) => {
    const team = await service.newTeam();
    const member = await service.addMember(team, isEnrolled ? {} : { totpSecret: null });
    for (const body of [GOOD, 'not json', { password: 5 }]) {
      const answer = await service.by(member, age)('POST', OWN, body);
      expect(refused(answer)).toStrictEqual([status, code]);
      expect(answer.headers.get('www-authenticate')).toBe(
        status === 401 ? 'Bearer error="insufficient_user_authentication", max_age="900"' : null,
      );
    }
    const entries = await service.recordedOf(team, member);
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
  });

  test('MFA of 900 seconds ago is accepted', async () => {
    const { people } = await service.newTeam();
    expect((await service.by(people.member, 900)('POST', OWN, GOOD)).status).toBe(201);
  });

  test('an API key cannot pass MFA, and the attempt is audited', async () => {
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
      'a password that is not a string',
      { password: 12345678 },
      [400, 'validation_failed', ['password', 'value_required']],
    ],
    [
      'a reason that is not a string',
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
      'every fault at once',
      { password: null, reason: false },
      [400, 'validation_failed', ['password', 'value_required'], ['reason', 'invalid_value']],
    ],
  ])('%s is refused, and is neither counted nor audited', async (_what, body, refusal) => {
    const team = await service.newTeam();
    const ask = service.by(team.people.member);
    for (let i = 0; i < 6; i++) expect(refusalOf(await ask('POST', OWN, body))).toStrictEqual(refusal);
    expect(await service.recordedOf(team, team.people.member)).toStrictEqual([]);
    expect((await ask('POST', OWN, GOOD)).status).toBe(201);
  });

  test('a body that is not declared as JSON is 415, and one that is too large is 413', async () => {
    const { people } = await service.newTeam();
    const ask = service.by(people.member);
    const type = { 'Content-Type': 'text/plain' };
    expect(refused(await ask('POST', OWN, GOOD, type))).toStrictEqual([415, 'unsupported_media_type']);
    const huge = { ...GOOD, reason: 'x'.repeat(1_100_000) };
    expect(refused(await ask('POST', OWN, huge))).toStrictEqual([413, 'payload_too_large']);
  });

  test('a wrong password is 403, is audited, and reveals nothing of a pending request', async () => {
    const team = await service.newTeam();
    const { member } = team.people;
    await service.submit(member);
    const answer = await service.by(member)('POST', OWN, { password: 'wrong horse' });
    expect(refused(answer)).toStrictEqual([403, 'invalid_password']);
    expect((await service.recordedOf(team, member)).at(-1)).toMatchObject({
      action: 'user.account_deletion.requested',
      result: 'denied',
      resourceType: 'account_deletion_request',
      resourceId: null,
      details: { reason: 'invalid_password' },
    });
    expect(await service.by(member)('GET', OWN)).toMatchObject({ body: { data: { status: 'pending' } } });
  });

  test('the sixth try within 5 minutes is 429, right or wrong, and is audited once', async () => {
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
    const reasons = (await service.recordedOf(team, member)).map(
      ({ details }) => details.reason ?? 'success',
    );
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

  test('tries are counted for each user, whatever the address', async () => {
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

describe('without users:write', () => {
  test.each<[string, string]>([
    ['GET', REQUESTS],
    ['GET', `${REQUESTS}/pending-count`],
    ['GET', `${REQUESTS}/:id`],
    ['POST', `${REQUESTS}/:id/process`],
    ['GET', AUDIT_LOG],
  ])('%s %s is 403, even for a platform administrator', async (method, path) => {
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
  ])('%s %s is 401 without a credential', async (method, path) => {
    expect(refused(await service.ask(method, path))).toStrictEqual([401, 'unauthenticated']);
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

describe('POST /admin/account-deletion-requests/:id/process', () => {
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
    expect(refusalOf(await service.decide(people.admin, id, body))).toStrictEqual(refusal);
    expect(await service.by(people.member)('GET', OWN)).toMatchObject({ body: { data: { id } } });
  });

  test.each<[string, number | null, readonly [number, string]]>([
    ['MFA of 901 seconds ago', 901, [401, 'mfa_required']],
    ['MFA never passed', null, [401, 'mfa_required']],
  ])('%s is refused and audited', async (_what, age, refusal) => {
    const team = await service.newTeam();
    const { id } = await service.submit(team.people.member);
    const answer = await service.decide(team.people.admin, id, { action: 'reject', adminNote: 'no' }, age);
    expect(refused(answer)).toStrictEqual(refusal);
    expect((await service.recordedOf(team, team.people.admin)).at(-1)).toMatchObject({
      action: 'user.account_deletion.rejected',
      result: 'denied',
      resourceId: id,
      details: { reason: 'mfa_required' },
    });
  });
});

/** Sessions, password and recovery codes of one's own account (Contract: §14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { type Answer, FILTERS, refusalOf, tracesOf } from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

interface SessionBody {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly current: boolean;
}

const ask = (method: string, path: string, tokens: Pick<Tokens, 'accessToken'>, body?: unknown) =>
  service.ask(method, `${AUTH}${path}`, body, tokens.accessToken);

async function sessionsOf(tokens: Pick<Tokens, 'accessToken'>): Promise<readonly SessionBody[]> {
  const answer = await ask('GET', '/sessions', tokens);
  if (answer.status !== 200) throw new Error(`no sessions were answered: ${answer.text}`);
  return (answer.body as { data: readonly SessionBody[] }).data;
}

async function currentOf(tokens: Tokens): Promise<SessionBody> {
  const current = (await sessionsOf(tokens)).find((session) => session.current);
  if (current === undefined) throw new Error('no session is the current one');
  return current;
}

async function isGood({ accessToken }: Tokens): Promise<boolean> {
  return (await service.ask('GET', FILTERS, undefined, accessToken)).status === 200;
}

const isRefreshed = async ({ refreshToken }: Tokens) =>
  (await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).status === 200;

/** The kinds of the mails to a user, oldest first. */
async function mailsTo({ id }: UserRecord): Promise<readonly string[]> {
  const mails = await service.composition.backend.mailOutbox.list(null, 1_000);
  return mails
    .filter(({ userId }) => userId === id)
    .map(({ kind }) => kind)
    .toReversed();
}

/** The audit entries of a user, without their sign-ins. */
async function entriesOf({ id }: UserRecord): Promise<readonly Partial<AuditEntry>[]> {
  const entries = await service.probe.auditEntries();
  return entries
    .filter(({ actor, action }) => actor.id === id && action !== 'auth.login')
    .map(({ action, result, resourceType, resourceId, details }) => ({
      ...{ action, result, resourceType, resourceId, details },
    }));
}

const ROUTES: readonly [string, string][] = [
  ['GET', '/sessions'],
  ['DELETE', '/sessions'],
  ['DELETE', `/sessions/${newId()}`],
  ['POST', '/password'],
  ['POST', '/mfa/recovery-codes'],
];

test.each(ROUTES)('%s /auth%s asks for a credential before anything else', async (method, path) => {
  const answer = await service.ask(method, `${AUTH}${path}`, method === 'POST' ? '{' : undefined);
  expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
    [401, 'unauthenticated'],
    'Bearer',
  ]);
});

test.each(ROUTES)('%s /auth%s is refused to API keys', async (method, path) => {
  const { accessToken } = await service.signInWithMfa(await service.addEnrolledUser());
  const created = await ask('POST', '/api-keys', { accessToken }, { name: 'x' });
  const { key } = created.body as { key: string };
  const body = method === 'POST' ? { currentPassword: 'x', newPassword: 'long enough' } : undefined;
  const answer = await service.as('none')(method, `${AUTH}${path}`, body, { 'X-API-Key': key });
  const code = path.startsWith('/mfa') ? 'mfa_not_possible' : 'forbidden';
  expect(refusalOf(answer)).toStrictEqual([403, code]);
  expect(await sessionsOf({ accessToken })).toHaveLength(1);
});

describe('GET /auth/sessions', () => {
  test('lists where the caller is signed in, the last used first', async () => {
    const user = await service.addUser();
    const { email, password } = user;
    const first = await service.askFrom(
      '192.0.2.7',
      `${AUTH}/login`,
      { email, password },
      {
        'User-Agent': 'Mozilla/5.0 (A browser)',
      },
    );
    const createdAt = new Date(service.now()).toISOString();
    service.pass(60);
    const second = await service.signIn(user);
    const later = new Date(service.now()).toISOString();
    const { data } = (await ask('GET', '/sessions', second)).body as { data: readonly SessionBody[] };
    expect(data).toStrictEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: later,
        lastUsedAt: later,
        ip: null,
        userAgent: null,
        current: true,
      },
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt,
        lastUsedAt: createdAt,
        ip: '192.0.2.7',
        userAgent: 'Mozilla/5.0 (A browser)',
        current: false,
      },
    ]);
    expect((await sessionsOf(first.body as Tokens)).map(({ current }) => current)).toStrictEqual([
      false,
      true,
    ]);
  });

  test('says when and from where a session was last refreshed', async () => {
    const user = await service.addUser();
    const { email, password } = user;
    const login = await service.askFrom('192.0.2.7', `${AUTH}/login`, { email, password });
    const { refreshToken, ...tokens } = login.body as Tokens;
    const { createdAt } = await currentOf({ ...tokens, refreshToken });
    service.pass(60);
    const headers = { 'User-Agent': `B\u00e9${'x'.repeat(300)}` };
    await service.askFrom('2001:db8::1', `${AUTH}/refresh`, { refreshToken }, headers);
    expect(await currentOf({ ...tokens, refreshToken })).toMatchObject({
      createdAt,
      lastUsedAt: new Date(service.now()).toISOString(),
      ip: '2001:db8::1',
      userAgent: `B\u00e9${'x'.repeat(254)}`,
    });
  });

  test("leaves out ended and expired sessions, and other people's", async () => {
    const user = await service.addUser();
    await service.signIn(await service.addUser());
    const expired = await service.signIn(user);
    service.pass(6 * 86_400);
    const ended = await service.signIn(user);
    await service.ask('POST', `${AUTH}/logout`, { refreshToken: ended.refreshToken });
    service.pass(86_400);
    const tokens = await service.signIn(user);
    expect(await sessionsOf(tokens)).toMatchObject([{ current: true }]);
    expect(await isRefreshed(expired)).toBe(false);
  });
});

describe('DELETE /auth/sessions/:id', () => {
  test('ends only that session, at once, and audits it', async () => {
    const user = await service.addUser();
    const [mine, other, third] = [
      await service.signIn(user),
      await service.signIn(user),
      await service.signIn(user),
    ];
    const { id } = await currentOf(other);
    const answer = await ask('DELETE', `/sessions/${id}`, mine);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    expect(await Promise.all([mine, other, third].map(isGood))).toStrictEqual([true, false, true]);
    expect(await isRefreshed(other)).toBe(false);
    expect(await sessionsOf(mine)).toHaveLength(2);
    expect(refusalOf(await ask('DELETE', `/sessions/${id}`, mine))).toStrictEqual([404, 'not_found']);
    const facts = { action: 'auth.session.ended', resourceType: 'session', resourceId: id };
    expect(await entriesOf(user)).toStrictEqual([
      { ...facts, result: 'success', details: {} },
      { ...facts, result: 'denied', details: { reason: 'not_found' } },
    ]);
  });

  test("may end the caller's own session", async () => {
    const tokens = await service.signIn(await service.addUser());
    const { id } = await currentOf(tokens);
    expect((await ask('DELETE', `/sessions/${id}`, tokens)).status).toBe(204);
    expect([await isGood(tokens), await isRefreshed(tokens)]).toStrictEqual([false, false]);
  });

  test.each(['of somebody else', 'of nobody', 'of no form'])('is 404 for a session %s', async (whose) => {
    const tokens = await service.signIn(await service.addUser());
    const other = await service.signIn(await service.addUser());
    const ids: Readonly<Record<string, string>> = {
      'of somebody else': (await currentOf(other)).id,
      'of nobody': newId(),
    };
    const answer = await ask('DELETE', `/sessions/${ids[whose] ?? 'x'}`, tokens);
    expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
    expect([await isGood(other), await isRefreshed(other)]).toStrictEqual([true, true]);
  });

  test('succeeds for only one of two sessions that end each other at once', async () => {
    const user = await service.addUser();
    const pair = [await service.signIn(user), await service.signIn(user)] as const;
    const ids = [(await currentOf(pair[0])).id, (await currentOf(pair[1])).id];
    const answers = await Promise.all([
      ask('DELETE', `/sessions/${ids[1]}`, pair[0]),
      ask('DELETE', `/sessions/${ids[0]}`, pair[1]),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([204, 401]);
  });
});

describe('DELETE /auth/sessions', () => {
  test("ends all sessions but the caller's own, and audits it", async () => {
    const user = await service.addUser();
    const stranger = await service.signIn(await service.addUser());
    const [first, mine, third] = [
      await service.signIn(user),
      await service.signIn(user),
      await service.signIn(user),
    ];
    const answer = await ask('DELETE', '/sessions', mine);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    const all = [first, mine, third, stranger];
    expect(await Promise.all(all.map(isGood))).toStrictEqual([false, true, false, true]);
    expect(await Promise.all(all.map(isRefreshed))).toStrictEqual([false, true, false, true]);
    expect((await ask('DELETE', '/sessions', mine)).status).toBe(204);
    const facts = { action: 'auth.session.ended', resourceType: 'session', resourceId: null };
    expect(await entriesOf(user)).toStrictEqual([
      { ...facts, result: 'success', details: { ended: 2 } },
      { ...facts, result: 'success', details: { ended: 0 } },
    ]);
  });
});

describe('POST /auth/password', () => {
  const NEW = 'another battery staple';
  const change = (tokens: Tokens, currentPassword: unknown, newPassword: unknown = NEW) =>
    ask('POST', '/password', tokens, { currentPassword, newPassword });
  const login = (email: string, password: string) =>
    service.ask('POST', `${AUTH}/login`, { email, password });

  test('changes the password, ends the other sessions but not this one, and sends a mail', async () => {
    const user = await service.addUser();
    const [other, mine] = [await service.signIn(user), await service.signIn(user)];
    const answer = await change(mine, user.password);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    expect([await isGood(other), await isRefreshed(other)]).toStrictEqual([false, false]);
    expect([await isGood(mine), await isRefreshed(mine)]).toStrictEqual([true, true]);
    expect(refusalOf(await login(user.email, user.password))).toStrictEqual([401, 'invalid_credentials']);
    expect((await login(user.email, NEW)).status).toBe(200);
    expect(await mailsTo(user)).toStrictEqual(['password-changed']);
    const facts = { action: 'auth.password.changed', resourceType: 'user', resourceId: user.id };
    expect(await entriesOf(user)).toStrictEqual([{ ...facts, result: 'success', details: {} }]);
  });

  test.each([
    ['8 characters outside the BMP', '𝔸'.repeat(8)],
    ['256 characters', 'x'.repeat(256)],
    ['spaces around it, which count', '  spaces  '],
  ])('takes %s, exactly as typed', async (_what, newPassword) => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    expect((await change(tokens, user.password, newPassword)).status).toBe(204);
    expect((await login(user.email, newPassword)).status).toBe(200);
  });

  test.each<[string, unknown, readonly [string, string][]]>([
    [
      'no members',
      {},
      [
        ['currentPassword', 'value_required'],
        ['newPassword', 'value_required'],
      ],
    ],
    [
      'numbers',
      { currentPassword: 1, newPassword: 12_345_678 },
      [
        ['currentPassword', 'invalid_value'],
        ['newPassword', 'invalid_value'],
      ],
    ],
    [
      '7 characters, and no current password',
      { newPassword: '1234567' },
      [
        ['currentPassword', 'value_required'],
        ['newPassword', 'out_of_range'],
      ],
    ],
    [
      '257 characters',
      { currentPassword: 'x', newPassword: 'x'.repeat(257) },
      [['newPassword', 'out_of_range']],
    ],
    [
      'an unpaired surrogate',
      { currentPassword: 'x', newPassword: '12345678\ud800' },
      [['newPassword', 'invalid_value']],
    ],
    [
      'the same password twice',
      { currentPassword: '12345678', newPassword: '12345678' },
      [['newPassword', 'invalid_value']],
    ],
  ])('refuses a body with %s, and changes nothing', async (_what, body, faults) => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    const before = await tracesOf(service);
    const answer = await ask('POST', '/password', tokens, body);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ...faults]);
    expect(await tracesOf(service)).toStrictEqual(before);
    expect((await change(tokens, user.password)).status).toBe(204);
  });

  test('is 403 with a wrong password, audits it, and changes nothing', async () => {
    const user = await service.addUser();
    const [other, mine] = [await service.signIn(user), await service.signIn(user)];
    for (const wrong of ['wrong', `${user.password} `, '']) {
      expect(refusalOf(await change(mine, wrong))).toStrictEqual([403, 'invalid_password']);
    }
    expect([await isGood(other), await mailsTo(user)]).toStrictEqual([true, []]);
    expect((await login(user.email, user.password)).status).toBe(200);
    expect((await entriesOf(user)).map(({ result, details }) => [result, details?.reason])).toStrictEqual(
      Array(3).fill(['denied', 'invalid_password']),
    );
  });

  test('allows five tries in five minutes, right or wrong, and is 429 from then on', async () => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    // A refused body does not count as a try.
    await change(tokens, user.password, 'short');
    for (let i = 0; i < 4; i++) expect((await change(tokens, 'wrong')).status).toBe(403);
    expect((await change(tokens, user.password)).status).toBe(204);
    const refused = [await change(tokens, NEW, user.password), await change(tokens, NEW, user.password)];
    expect(refused.map(refusalOf)).toStrictEqual(Array(2).fill([429, 'rate_limited']));
    expect(refused[0]?.headers.get('retry-after')).toBe('300');
    const reasons = (await entriesOf(user)).map(({ details }) => details?.reason);
    expect(reasons.filter((reason) => reason === 'rate_limited')).toHaveLength(1);
    service.pass(300);
    expect((await change(tokens, NEW, user.password)).status).toBe(204);
  });

  test('changes the password once for several requests at once', async () => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    const passwords = [1, 2, 3, 4].map((i) => `the ${i}. new password`);
    const answers = await Promise.all(passwords.map((next) => change(tokens, user.password, next)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([204, 403, 403, 403]);
    const taken = passwords[statuses.indexOf(204)] ?? '';
    expect((await login(user.email, taken)).status).toBe(200);
    expect(await mailsTo(user)).toStrictEqual(['password-changed']);
  });

  test('leaves MFA and API keys unchanged', async () => {
    const enrolled = await service.addEnrolledUser();
    const tokens = await service.signInWithMfa(enrolled);
    const { key } = (await ask('POST', '/api-keys', tokens, { name: 'x' })).body as { key: string };
    expect((await change(tokens, enrolled.user.password)).status).toBe(204);
    expect((await ask('POST', '/api-keys', tokens, { name: 'y' })).status).toBe(201);
    const withKey = await service.as('none')('GET', FILTERS, undefined, { 'X-API-Key': key });
    expect(withKey.status).toBe(200);
  });
});

describe('POST /auth/mfa/recovery-codes', () => {
  const renew = (tokens: Tokens) => ask('POST', '/mfa/recovery-codes', tokens);
  const codesOf = ({ status, text, body }: Answer): readonly string[] => {
    if (status !== 200) throw new Error(`no codes were answered: ${status} ${text}`);
    return (body as { recoveryCodes: readonly string[] }).recoveryCodes;
  };

  test('answers ten new codes, voids the old ones, and sends a mail', async () => {
    const enrolled = await service.addEnrolledUser();
    const { user } = enrolled;
    const tokens = await service.signInWithMfa(enrolled);
    const old = codesOf(await renew(tokens));
    const codes = codesOf(await renew(tokens));
    expect(codes).toHaveLength(10);
    expect(new Set([...old, ...codes]).size).toBe(20);
    const login = (code = '') =>
      service.ask('POST', `${AUTH}/login`, { email: user.email, password: user.password, code });
    expect(refusalOf(await login(old[0]))).toStrictEqual([401, 'invalid_mfa_code']);
    expect((await login(codes[0])).status).toBe(200);
    expect(refusalOf(await login(codes[0]))).toStrictEqual([401, 'invalid_mfa_code']);
    expect((await login(codes[9])).status).toBe(200);
    expect((await login(service.nextCode(enrolled.totpSecret))).status).toBe(200);
    expect((await mailsTo(user)).slice(0, 2)).toStrictEqual(Array(2).fill('recovery-codes-renewed'));
    const facts = { action: 'auth.mfa.recovery_codes', resourceType: 'user', resourceId: user.id };
    expect(await entriesOf(user)).toStrictEqual(Array(2).fill({ ...facts, result: 'success', details: {} }));
    expect(JSON.stringify(await service.probe.auditEntries())).not.toContain(codes[1]);
  });

  test('asks for fresh MFA', async () => {
    const enrolled = await service.addEnrolledUser();
    const tokens = await service.signInWithMfa(enrolled);
    const codes = codesOf(await renew(tokens));
    service.pass(899);
    const { refreshToken } = tokens;
    const stale = (await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).body as Tokens;
    service.pass(2);
    const answer = await renew(stale);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'mfa_required'],
      'Bearer error="insufficient_user_authentication", max_age="900"',
    ]);
    expect((await service.signIn(enrolled.user, codes[0])).tokenType).toBe('Bearer');
    expect((await entriesOf(enrolled.user)).at(-1)).toMatchObject({
      action: 'auth.mfa.recovery_codes',
      result: 'denied',
      details: { reason: 'mfa_required' },
    });
  });

  test('is 403 for somebody without a factor', async () => {
    const tokens = await service.signIn(await service.addUser());
    expect(refusalOf(await renew(tokens))).toStrictEqual([403, 'mfa_enrollment_required']);
  });
});

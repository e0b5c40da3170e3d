/** Sessions, second factors and API keys, a row for each line of the contract (Contract: §2). */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import type { UserChange } from '#test/api/service/probe.ts';
import { type Answer, FILTERS, refusalOf } from '#test/api/service/service.ts';
import { until } from '#test/support/database/until.ts';

const UUID = /^[0-9a-f-]{36}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const PASSWORD = 'correct horse battery staple';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

function login(body: object): Promise<Answer> {
  return service.ask('POST', `${AUTH}/login`, body);
}

function refresh(refreshToken: unknown): Promise<Answer> {
  return service.ask('POST', `${AUTH}/refresh`, { refreshToken });
}

function tokensOf({ status, text, body }: Answer): Tokens {
  if (status !== 200) throw new Error(`no tokens were answered: ${status} ${text}`);
  return body as Tokens;
}

/** Whether a token is taken at this moment. */
async function isGood(accessToken: string): Promise<boolean> {
  return (await service.ask('GET', FILTERS, undefined, accessToken)).status === 200;
}

test.each([
  ['GET', '/me'],
  ['POST', '/mfa/enroll'],
  ['POST', '/mfa/enroll/confirm'],
  ['POST', '/mfa/challenge'],
  ['GET', '/api-keys'],
  ['POST', '/api-keys'],
  ['DELETE', '/api-keys/x'],
])('%s /auth%s asks for a credential before anything else', async (method, path) => {
  const answer = await service.ask(method, `${AUTH}${path}`, method === 'POST' ? '{' : undefined);
  expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
    [401, 'unauthenticated'],
    'Bearer',
  ]);
});

describe('POST /auth/login', () => {
  test('answers with a token, what it is, how long it lasts, a refresh token and the user', async () => {
    const { orgIds } = service.tenants;
    const user = await service.addUser({
      membership: { scope: 'organization', orgId: orgIds.A },
      permissions: ['users:write'],
    });
    const tokens = await service.signIn(user);
    expect(tokens).toStrictEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshToken: expect.stringMatching(/^fsr_[\w-]{43}$/),
      user: {
        id: user.id,
        email: user.email,
        name: user.name,
        scope: 'organization',
        orgId: orgIds.A,
        partnerId: null,
        permissions: ['users:write'],
        isPlatformAdmin: false,
        mfa: { enrolled: false, verifiedAt: null },
      },
    });
    expect(await isGood(tokens.accessToken)).toBe(true);
  });

  test('takes the email in any case, and the password exactly as typed', async () => {
    const user = await service.addUser({ password: '  pässwörd with spaces ✓ ' });
    expect((await login({ email: user.email.toUpperCase(), password: user.password })).status).toBe(200);
    expect((await login({ email: user.email, password: user.password.trim() })).status).toBe(401);
  });

  test('answers the same to an unknown email, a wrong password and somebody who is disabled', async () => {
    const user = await service.addUser();
    const disabled = await service.addUser();
    await service.probe.changeUser(disabled.id, { status: 'disabled' });
    const answers = await Promise.all([
      login({ email: 'nobody@example.com', password: PASSWORD }),
      login({ email: user.email, password: 'wrong horse battery staple' }),
      login({ email: disabled.email, password: disabled.password }),
    ]);
    const told = answers.map(({ status, headers, body }) => {
      const { requestId: _requestId, ...rest } = body as { requestId: string };
      return { status, challenge: headers.get('www-authenticate'), ...rest };
    });
    expect(told[0]).toMatchObject({ status: 401, code: 'invalid_credentials', challenge: 'Bearer' });
    expect(told[1]).toStrictEqual(told[0]);
    expect(told[2]).toStrictEqual(told[0]);
  });

  test.each([
    [
      'no members',
      {},
      [
        ['email', 'value_required'],
        ['password', 'value_required'],
      ],
    ],
    [
      'null',
      { email: null, password: null },
      [
        ['email', 'value_required'],
        ['password', 'value_required'],
      ],
    ],
    [
      'numbers',
      { email: 1, password: 2, code: 3 },
      [
        ['email', 'invalid_value'],
        ['password', 'invalid_value'],
        ['code', 'invalid_value'],
      ],
    ],
    ['a NUL in the email', { email: 'a\u0000b', password: PASSWORD }, [['email', 'invalid_value']]],
  ])('refuses a body with %s, and names every fault', async (_what, body, faults) => {
    expect(refusalOf(await login(body))).toStrictEqual([400, 'validation_failed', ...faults]);
  });

  test('refuses what is not JSON', async () => {
    expect(refusalOf(await service.ask('POST', `${AUTH}/login`, '{'))).toStrictEqual([400, 'invalid_json']);
  });

  describe('of somebody with a second factor', () => {
    test.each([
      ['no code', undefined],
      ['an empty one', ''],
    ])('asks for the code where there is %s', async (_what, code) => {
      const { user } = await service.addEnrolledUser();
      const answer = await login({ email: user.email, password: user.password, code });
      expect(refusalOf(answer)).toStrictEqual([401, 'mfa_required']);
    });

    test('does not tell that there is one to somebody without the password', async () => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const code = service.nextCode(totpSecret);
      const answer = await login({ email: user.email, password: 'wrong', code });
      expect(refusalOf(answer)).toStrictEqual([401, 'invalid_credentials']);
    });

    test.each([
      ['a wrong one', '000000'],
      ['one that is no code', 'code'],
      ['one in full-width digits', '１２３４５６'],
      ['one in Arabic-Indic digits', '١٢٣٤٥٦'],
    ])('refuses %s', async (_what, code) => {
      const { user } = await service.addEnrolledUser({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
      const answer = await login({ email: user.email, password: user.password, code });
      expect(refusalOf(answer)).toStrictEqual([401, 'invalid_mfa_code']);
    });

    test('counts as having passed MFA now', async () => {
      const enrolled = await service.addEnrolledUser();
      const { user } = await service.signInWithMfa(enrolled);
      expect(user.mfa).toStrictEqual({ enrolled: true, verifiedAt: new Date(service.now()).toISOString() });
    });

    test.each([-30, 30])('takes a code of %i seconds from now', async (seconds) => {
      const { user, totpSecret } = await service.addEnrolledUser();
      await service.signIn(user, currentTotpCode(totpSecret, service.now() + seconds * 1_000));
    });

    test.each([-60, 60])('takes none of %i seconds from now', async (seconds) => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const code = currentTotpCode(totpSecret, service.now() + seconds * 1_000);
      const answer = await login({ email: user.email, password: user.password, code });
      expect(refusalOf(answer)).toStrictEqual([401, 'invalid_mfa_code']);
    });

    test('takes a code once, and none from before it', async () => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const earlier = currentTotpCode(totpSecret, service.now());
      const code = service.nextCode(totpSecret);
      await service.signIn(user, code);
      for (const again of [code, earlier]) {
        const answer = await login({ email: user.email, password: user.password, code: again });
        expect(refusalOf(answer)).toStrictEqual([401, 'invalid_mfa_code']);
      }
    });
  });
});

describe('POST /auth/refresh', () => {
  test('answers in the same shape, with new tokens of the same session', async () => {
    const user = await service.addUser();
    const first = await service.signIn(user);
    const second = tokensOf(await refresh(first.refreshToken));
    expect(Object.keys(second).sort()).toStrictEqual(Object.keys(first).sort());
    expect(second.user).toStrictEqual(first.user);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(decodeJwt(second.accessToken).sid).toBe(decodeJwt(first.accessToken).sid);
    expect(await isGood(second.accessToken)).toBe(true);
    tokensOf(await refresh(second.refreshToken));
  });

  test('used twice ends the whole family, tokens that are out included', async () => {
    const first = await service.signIn(await service.addUser());
    const second = tokensOf(await refresh(first.refreshToken));
    const third = tokensOf(await refresh(second.refreshToken));
    expect(refusalOf(await refresh(first.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    expect(refusalOf(await refresh(third.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    for (const { accessToken } of [first, second, third]) {
      await until(async () => !(await isGood(accessToken)));
    }
  });

  test('leaves the user’s other sessions alone', async () => {
    const user = await service.addUser();
    const [one, other] = [await service.signIn(user), await service.signIn(user)];
    await refresh(one.refreshToken);
    await refresh(one.refreshToken);
    tokensOf(await refresh(other.refreshToken));
  });

  test('keeps what the session says of MFA', async () => {
    const tokens = await service.signInWithMfa(await service.addEnrolledUser());
    service.pass(60);
    expect(tokensOf(await refresh(tokens.refreshToken)).user.mfa).toStrictEqual(tokens.user.mfa);
  });

  test.each([
    ['an unknown token', () => `fsr_${'a'.repeat(43)}`],
    ['an access token', ({ accessToken }: Tokens) => accessToken],
    ['an empty one', () => ''],
    ['one that is longer', ({ refreshToken }: Tokens) => `${refreshToken}a`],
  ])('refuses %s', async (_what, change) => {
    const tokens = await service.signIn(await service.addUser());
    expect(refusalOf(await refresh(change(tokens)))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test('a refresh token is no access token', async () => {
    const { refreshToken } = await service.signIn(await service.addUser());
    expect((await service.ask('GET', FILTERS, undefined, refreshToken)).status).toBe(401);
  });

  test.each([undefined, null, 1, {}])('refuses %j as a token with a 400', async (token) => {
    expect(refusalOf(await refresh(token)).slice(0, 2)).toStrictEqual([400, 'validation_failed']);
  });

  test('is good for a week, each time anew, and for thirty days in all', async () => {
    const user = await service.addUser();
    const idle = await service.signIn(user);
    let kept = await service.signIn(user);
    for (let week = 0; week < 4; week++) {
      service.pass(7 * 86_400 - 1);
      kept = tokensOf(await refresh(kept.refreshToken));
    }
    expect(refusalOf(await refresh(idle.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    service.pass(2 * 86_400 + 4);
    expect(refusalOf(await refresh(kept.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test.each<[string, UserChange]>([
    ['is disabled', { status: 'disabled' }],
    ['is deleted', { status: 'deleted' }],
    ['has another password', { newAuthEpoch: true }],
  ])('refuses a user who %s', async (_what, change) => {
    const user = await service.addUser();
    const { refreshToken } = await service.signIn(user);
    await service.probe.changeUser(user.id, change);
    expect(refusalOf(await refresh(refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });
});

describe('POST /auth/logout', () => {
  test('ends the session: its tokens stop working', async () => {
    const tokens = await service.signIn(await service.addUser());
    const answer = await service.ask('POST', `${AUTH}/logout`, { refreshToken: tokens.refreshToken });
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    expect(refusalOf(await refresh(tokens.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    await until(async () => !(await isGood(tokens.accessToken)));
  });

  test('leaves the user’s other sessions alone', async () => {
    const user = await service.addUser();
    const [one, other] = [await service.signIn(user), await service.signIn(user)];
    await service.ask('POST', `${AUTH}/logout`, { refreshToken: one.refreshToken });
    await until(async () => !(await isGood(one.accessToken)));
    expect(await isGood(other.accessToken)).toBe(true);
    tokensOf(await refresh(other.refreshToken));
  });

  test('is the same for a token that is not known', async () => {
    const answer = await service.ask('POST', `${AUTH}/logout`, { refreshToken: 'fsr_unknown' });
    expect(answer.status).toBe(204);
  });

  test('refuses a body without one', async () => {
    expect(refusalOf(await service.ask('POST', `${AUTH}/logout`, {}))).toStrictEqual([
      400,
      'validation_failed',
      ['refreshToken', 'value_required'],
    ]);
  });
});

describe('GET /auth/me', () => {
  test('says who a partner’s administrator is', async () => {
    const { partnerIds, orgIds } = service.tenants;
    const user = await service.addUser({
      membership: { scope: 'partner', partnerId: partnerIds.P, orgIds: [orgIds.A] },
      isPlatformAdmin: true,
    });
    const { accessToken } = await service.signIn(user);
    const answer = await service.ask('GET', `${AUTH}/me`, undefined, accessToken);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        id: user.id,
        email: user.email,
        name: user.name,
        scope: 'partner',
        orgId: null,
        partnerId: partnerIds.P,
        permissions: [],
        isPlatformAdmin: true,
        mfa: { enrolled: false, verifiedAt: null },
      },
    ]);
  });

  test('says what an API key may, for its user', async () => {
    const { users, orgIds } = service.tenants;
    expect((await service.as('key-P-to-A')('GET', `${AUTH}/me`)).body).toMatchObject({
      id: users['P-all'].id,
      scope: 'organization',
      orgId: orgIds.A,
      mfa: { enrolled: false, verifiedAt: null },
    });
  });
});

describe('POST /auth/mfa/enroll and /auth/mfa/enroll/confirm', () => {
  const enroll = (token: string, body: unknown = { password: PASSWORD }) =>
    service.ask('POST', `${AUTH}/mfa/enroll`, body, token);
  const confirm = (code: unknown, token: string) =>
    service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, token);
  const secretOf = (answer: Answer) => (answer.body as { secret: string }).secret;

  /** Sets up a factor and gives its secret and its recovery codes. */
  async function setUp(token: string): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
    const secret = secretOf(await enroll(token));
    const confirmed = await confirm(service.nextCode(secret), token);
    if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`);
    return { secret, recoveryCodes: (confirmed.body as { recoveryCodes: string[] }).recoveryCodes };
  }

  test('offer a secret, and give ten recovery codes for a code of it', async () => {
    const user = await service.addUser();
    const { accessToken, refreshToken } = await service.signIn(user);
    const offer = await enroll(accessToken);
    expect([offer.status, offer.body]).toStrictEqual([
      200,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauthUri: expect.stringMatching(/^otpauth:\/\/totp\//),
      },
    ]);
    expect(new URL((offer.body as { otpauthUri: string }).otpauthUri).searchParams.get('secret')).toBe(
      secretOf(offer),
    );
    const confirmed = await confirm(service.nextCode(secretOf(offer)), accessToken);
    const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
    expect(confirmed.status).toBe(200);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes.every((code) => /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/.test(code))).toBe(true);
    // The session in which it was confirmed counts as verified from its next token on.
    expect(tokensOf(await refresh(refreshToken)).user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
    expect(refusalOf(await login({ email: user.email, password: user.password }))).toStrictEqual([
      401,
      'mfa_required',
    ]);
  });

  test('leave things as they are until the code is right', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    await enroll(accessToken);
    expect(refusalOf(await confirm('000000', accessToken))).toStrictEqual([401, 'invalid_mfa_code']);
    expect((await service.signIn(user)).user.mfa).toStrictEqual({ enrolled: false, verifiedAt: null });
  });

  test('go by the secret that was offered last', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    const first = secretOf(await enroll(accessToken));
    const second = secretOf(await enroll(accessToken));
    expect(refusalOf(await confirm(service.nextCode(first), accessToken))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
    expect((await confirm(service.nextCode(second), accessToken)).status).toBe(200);
  });

  test('take no code that was used to confirm', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const secret = secretOf(await enroll(accessToken));
    const code = service.nextCode(secret);
    expect((await confirm(code, accessToken)).status).toBe(200);
    expect(refusalOf(await login({ email: user.email, password: user.password, code }))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
  });

  test('have nothing to confirm before an offer, or a quarter of an hour after it', async () => {
    const user = await service.addUser();
    const first = await service.signIn(user);
    expect(refusalOf(await confirm('123456', first.accessToken))).toStrictEqual([409, 'conflict']);
    const secret = secretOf(await enroll(first.accessToken));
    service.pass(900);
    const { accessToken } = await service.signIn(user);
    const code = currentTotpCode(secret, service.now());
    expect(refusalOf(await confirm(code, accessToken))).toStrictEqual([409, 'conflict']);
  });

  test('need MFA that was verified lately where there is a factor already', async () => {
    const enrolled = await service.addEnrolledUser();
    const { refreshToken } = await service.signInWithMfa(enrolled);
    service.pass(901);
    const { accessToken } = tokensOf(await refresh(refreshToken));
    const answer = await enroll(accessToken);
    expect(refusalOf(answer)).toStrictEqual([401, 'mfa_required']);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="900"',
    );
    expect(refusalOf(await confirm('123456', accessToken))).toStrictEqual([401, 'mfa_required']);
  });

  test('put another factor in the place of the first: its codes, its recovery codes and all MFA by it are void', async () => {
    const user = await service.addUser();
    const { accessToken, refreshToken } = await service.signIn(user);
    const first = await setUp(accessToken);
    const fresh = tokensOf(await refresh(refreshToken));
    const other = await service.signIn(user, service.nextCode(first.secret));
    const second = await setUp(fresh.accessToken);
    const confirmedAt = service.now();
    for (const code of [service.nextCode(first.secret), first.recoveryCodes[0]]) {
      expect(refusalOf(await login({ email: user.email, password: user.password, code }))).toStrictEqual([
        401,
        'invalid_mfa_code',
      ]);
    }
    await service.signIn(user, service.nextCode(second.secret));
    const me = async (token: string) => (await service.ask('GET', `${AUTH}/me`, undefined, token)).body;
    // This token says itself of MFA, by the first factor.
    expect(await me(fresh.accessToken)).toMatchObject({ mfa: { enrolled: true, verifiedAt: null } });
    expect(tokensOf(await refresh(fresh.refreshToken)).user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(confirmedAt).toISOString(),
    });
    expect(await isGood(other.accessToken)).toBe(false);
    expect(refusalOf(await refresh(other.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test('give recovery codes that are good wherever a code is, each once, in any case', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const { recoveryCodes } = await setUp(accessToken);
    const [one = '', two = ''] = recoveryCodes;
    const tokens = await service.signIn(user, one.toUpperCase());
    expect(tokens.user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
    const challenge = (code: string) =>
      service.ask('POST', `${AUTH}/mfa/challenge`, { code }, tokens.accessToken);
    expect((await challenge(two)).status).toBe(200);
    expect(refusalOf(await challenge(two))).toStrictEqual([401, 'invalid_mfa_code']);
    expect(refusalOf(await login({ email: user.email, password: user.password, code: one }))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
  });
});

describe('POST /auth/mfa/challenge', () => {
  const challenge = (code: unknown, token: string) =>
    service.ask('POST', `${AUTH}/mfa/challenge`, { code }, token);

  test('gives a token of the same session with fresh MFA', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    service.pass(600);
    const answer = await challenge(service.nextCode(enrolled.totpSecret), accessToken);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
    ]);
    const stepped = (answer.body as Tokens).accessToken;
    expect(decodeJwt(stepped).sid).toBe(decodeJwt(accessToken).sid);
    const me = await service.ask('GET', `${AUTH}/me`, undefined, stepped);
    expect((me.body as Tokens['user']).mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
  });

  test('holds for the tokens of the session to come', async () => {
    const enrolled = await service.addEnrolledUser();
    const first = await service.signInWithMfa(enrolled);
    service.pass(600);
    await challenge(service.nextCode(enrolled.totpSecret), first.accessToken);
    expect(tokensOf(await refresh(first.refreshToken)).user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
  });

  test.each(['000000', 'code', '', '１２３４５６', '123 456'])('refuses %j', async (code) => {
    const enrolled = await service.addEnrolledUser({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    const { accessToken } = await service.signIn(
      enrolled.user,
      service.nextCode('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
    );
    expect(refusalOf(await challenge(code, accessToken))).toStrictEqual([401, 'invalid_mfa_code']);
  });

  test.each([undefined, null, 123456, ['123456']])('refuses %j with a 400', async (code) => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await challenge(code, accessToken)).slice(0, 2)).toStrictEqual([
      400,
      'validation_failed',
    ]);
  });

  test('sends somebody without a factor to set one up', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await challenge('123456', accessToken))).toStrictEqual([403, 'mfa_enrollment_required']);
  });

  test('is 429 after five wrong codes in five minutes, the right one included, until they have passed', async () => {
    const enrolled = await service.addEnrolledUser();
    const first = await service.signInWithMfa(enrolled);
    for (let i = 0; i < 3; i++) {
      // The right ones do not count.
      expect((await challenge(service.nextCode(enrolled.totpSecret), first.accessToken)).status).toBe(200);
    }
    service.pass(300);
    const { accessToken, refreshToken } = tokensOf(await refresh(first.refreshToken));
    for (let i = 0; i < 5; i++) {
      expect(refusalOf(await challenge('no code', accessToken))).toStrictEqual([401, 'invalid_mfa_code']);
    }
    const code = service.nextCode(enrolled.totpSecret);
    const refused = await challenge(code, accessToken);
    expect([refusalOf(refused), refused.headers.get('retry-after')]).toStrictEqual([
      [429, 'rate_limited'],
      '270',
    ]);
    service.pass(269);
    const still = await challenge(currentTotpCode(enrolled.totpSecret, service.now()), accessToken);
    expect(still.headers.get('retry-after')).toBe('1');
    service.pass(1);
    const again = tokensOf(await refresh(refreshToken)).accessToken;
    expect((await challenge(service.nextCode(enrolled.totpSecret), again)).status).toBe(200);
  });

  test('counts wrong codes together with those of signing in', async () => {
    const { user, totpSecret } = await service.addEnrolledUser();
    for (let i = 0; i < 5; i++) await login({ email: user.email, password: user.password, code: 'no code' });
    const code = service.nextCode(totpSecret);
    expect(refusalOf(await login({ email: user.email, password: user.password, code }))).toStrictEqual([
      429,
      'rate_limited',
    ]);
  });
});

describe('the limit of sign-ins', () => {
  test('is ten attempts for an email, right or wrong, in any case, known or not', async () => {
    const user = await service.addUser();
    for (const email of [user.email, 'unknown@example.com']) {
      for (let i = 0; i < 10; i++) {
        expect(
          (await login({ email: i % 2 === 0 ? email : email.toUpperCase(), password: 'wrong' })).status,
        ).toBe(401);
      }
      const refused = await login({ email, password: user.password });
      expect([refusalOf(refused), refused.headers.get('retry-after')]).toStrictEqual([
        [429, 'rate_limited'],
        '300',
      ]);
    }
    service.pass(299);
    expect((await login({ email: user.email, password: user.password })).headers.get('retry-after')).toBe(
      '1',
    );
    service.pass(1);
    await service.signIn(user);
  });

  test('is ten attempts from an address, whatever it says of others', async () => {
    const attempt = (peer: string, i: number) =>
      service.askFrom(
        peer,
        `${AUTH}/login`,
        { email: `nobody-${i}@example.com`, password: 'wrong' },
        { 'X-Forwarded-For': `203.0.113.${i}` },
      );
    for (let i = 0; i < 10; i++) expect((await attempt('192.0.2.77', i)).status).toBe(401);
    expect(refusalOf(await attempt('192.0.2.77', 10))).toStrictEqual([429, 'rate_limited']);
    expect((await attempt('192.0.2.78', 11)).status).toBe(401);
  });
});

describe('/auth/api-keys', () => {
  const KEYS = `${AUTH}/api-keys`;
  const withMfa = async (given: Parameters<AuthService['addEnrolledUser']>[0] = {}) =>
    (await service.signInWithMfa(await service.addEnrolledUser(given))).accessToken;
  const create = (token: string, body: object = { name: 'Deployment' }) =>
    service.ask('POST', KEYS, body, token);
  const askWithKey = (key: string, path = `${AUTH}/me`) =>
    service.as('none')('GET', path, undefined, { 'X-API-Key': key });

  test('POST makes a key and shows it this once', async () => {
    const { orgIds } = service.tenants;
    const token = await withMfa({
      membership: { scope: 'organization', orgId: orgIds.A },
      permissions: ['users:write', 'devices:read'],
    });
    const answer = await create(token, {
      name: '  Nightly export  ',
      permissions: ['users:write', 'users:write'],
      expiresAt: '2099-01-31',
    });
    const { key, ...summary } = answer.body as { key: string; id: string };
    expect([answer.status, summary]).toStrictEqual([
      201,
      {
        id: expect.stringMatching(UUID),
        name: 'Nightly export',
        orgId: null,
        permissions: ['users:write'],
        expiresAt: '2099-01-31T00:00:00.000Z',
        createdAt: expect.stringMatching(ISO),
      },
    ]);
    expect(key).toMatch(/^fsk_[\w-]{43}$/);
    expect((await askWithKey(key)).body).toMatchObject({
      scope: 'organization',
      orgId: orgIds.A,
      permissions: ['users:write'],
      isPlatformAdmin: false,
    });
    const listed = await service.ask('GET', KEYS, undefined, token);
    expect([listed.status, listed.body]).toStrictEqual([200, { data: [summary], total: 1 }]);
  });

  test('POST gives a key no permissions where none are named, and no end', async () => {
    const answer = await create(await withMfa({ permissions: ['users:write'] }));
    expect(answer.body).toMatchObject({ permissions: [], expiresAt: null });
  });

  test('POST gives no permission that the user does not have', async () => {
    const token = await withMfa({ permissions: ['devices:read'] });
    expect(
      refusalOf(await create(token, { name: 'x', permissions: ['devices:read', 'users:write'] })),
    ).toStrictEqual([403, 'forbidden']);
    expect((await service.ask('GET', KEYS, undefined, token)).body).toStrictEqual({ data: [], total: 0 });
  });

  test('a key loses a permission with its user', async () => {
    const enrolled = await service.addEnrolledUser({ permissions: ['users:write'] });
    const { accessToken } = await service.signInWithMfa(enrolled);
    const answer = await create(accessToken, { name: 'x', permissions: ['users:write'] });
    const { key } = answer.body as { key: string };
    await service.probe.changeUser(enrolled.user.id, { permissions: [] });
    await until(async () => (await askWithKey(key)).text.includes('"permissions":[]'));
  });

  test('POST needs MFA that was verified lately', async () => {
    const enrolled = await service.addEnrolledUser();
    const { refreshToken } = await service.signInWithMfa(enrolled);
    service.pass(901);
    const { accessToken } = tokensOf(await refresh(refreshToken));
    const answer = await create(accessToken);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'mfa_required'],
      'Bearer error="insufficient_user_authentication", max_age="900"',
    ]);
  });

  test('POST needs MFA to be set up', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await create(accessToken))).toStrictEqual([403, 'mfa_enrollment_required']);
  });

  test.each([
    ['no name', {}, ['name']],
    ['an empty name', { name: '  ' }, ['name']],
    ['a name of 201 characters', { name: 'é'.repeat(201) }, ['name']],
    ['a name with a NUL', { name: 'a\u0000' }, ['name']],
    ['permissions that are no list', { name: 'x', permissions: 'users:write' }, ['permissions']],
    ['permissions that are no texts', { name: 'x', permissions: [1] }, ['permissions']],
    ['an end in the past', { name: 'x', expiresAt: '2020-01-01' }, ['expiresAt']],
    ['an end that is no date', { name: 'x', expiresAt: 'tomorrow' }, ['expiresAt']],
    ['everything wrong', { name: 1, permissions: 2, expiresAt: 3 }, ['name', 'permissions', 'expiresAt']],
  ])('POST refuses %s', async (_what, body, paths) => {
    const [status, code, ...faults] = refusalOf(await create(await withMfa(), body));
    expect([status, code, faults.map(([path]) => path)]).toStrictEqual([400, 'validation_failed', paths]);
  });

  test('GET lists the caller’s own keys alone, newest first', async () => {
    const token = await withMfa();
    await create(await withMfa(), { name: 'another’s' });
    await create(token, { name: 'first' });
    service.pass(1);
    await create(token, { name: 'second' });
    const { data } = (await service.ask('GET', KEYS, undefined, token)).body as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toStrictEqual(['second', 'first']);
  });

  test('DELETE revokes a key: it stops working, and is gone from the list', async () => {
    const token = await withMfa();
    const { key, id } = (await create(token)).body as { key: string; id: string };
    expect((await askWithKey(key)).status).toBe(200);
    const answer = await service.ask('DELETE', `${KEYS}/${id}`, undefined, token);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    await until(async () => (await askWithKey(key)).status === 401);
    expect((await service.ask('GET', KEYS, undefined, token)).body).toStrictEqual({ data: [], total: 0 });
    expect(refusalOf(await service.ask('DELETE', `${KEYS}/${id}`, undefined, token))).toStrictEqual([
      404,
      'not_found',
    ]);
  });

  test.each([
    ['another’s', async () => ((await create(await withMfa())).body as { id: string }).id],
    ['an unknown one', async () => service.tenants.unknownId],
    ['what is no id', async () => 'x'],
  ])('DELETE answers 404 to %s', async (_what, idOf) => {
    const id = await idOf();
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await service.ask('DELETE', `${KEYS}/${id}`, undefined, accessToken))).toStrictEqual([
      404,
      'not_found',
    ]);
  });
});

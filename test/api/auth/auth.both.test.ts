/** Credentials and sessions, with a test for each line of the contract (Contract: §2). */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import {
  AUTH,
  type AuthService,
  startAuthService,
  type Tokens,
  tokensOf,
} from '#test/api/service/auth-service.ts';
import type { UserChange } from '#test/api/service/probe.ts';
import { FILTERS, refusalOf } from '#test/api/service/service.ts';
import { until } from '#test/support/database/until.ts';

const PASSWORD = 'correct horse battery staple';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

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
  test('answers with an access token, its type and lifetime, a refresh token and the user', async () => {
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
        isWholePartner: false,
        permissions: ['users:write'],
        isPlatformAdmin: false,
        mfa: { enrolled: false, verifiedAt: null },
      },
    });
    expect(await service.isGood(tokens.accessToken)).toBe(true);
  });

  test('takes the email in any case, and the password exactly as typed', async () => {
    const user = await service.addUser({ password: '  pässwörd with spaces ✓ ' });
    expect((await service.login({ email: user.email.toUpperCase(), password: user.password })).status).toBe(
      200,
    );
    expect((await service.login({ email: user.email, password: user.password.trim() })).status).toBe(401);
  });

  test('answers the same to an unknown email, a wrong password and a disabled person', async () => {
    const user = await service.addUser();
    const disabled = await service.addUser();
    await service.probe.changeUser(disabled.id, { status: 'disabled' });
    const answers = await Promise.all([
      service.login({ email: 'nobody@example.com', password: PASSWORD }),
      service.login({ email: user.email, password: 'wrong horse battery staple' }),
      service.login({ email: disabled.email, password: disabled.password }),
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
    expect(refusalOf(await service.login(body))).toStrictEqual([400, 'validation_failed', ...faults]);
  });

  test('refuses what is not JSON', async () => {
    expect(refusalOf(await service.ask('POST', `${AUTH}/login`, '{'))).toStrictEqual([400, 'invalid_json']);
  });

  describe('by a person with a second factor', () => {
    test.each([
      ['no code', undefined],
      ['an empty code', ''],
    ])('asks for a code if the body has %s', async (_what, code) => {
      const { user } = await service.addEnrolledUser();
      const answer = await service.login({ email: user.email, password: user.password, code });
      expect(refusalOf(answer)).toStrictEqual([401, 'mfa_required']);
    });

    test('does not reveal the factor to a caller without the password', async () => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const code = service.nextCode(totpSecret);
      const answer = await service.login({ email: user.email, password: 'wrong', code });
      expect(refusalOf(answer)).toStrictEqual([401, 'invalid_credentials']);
    });

    test.each([
      ['a wrong code', '000000'],
      ['a code that is no number', 'code'],
      ['a code in full-width digits', '１２３４５６'],
      ['a code in Arabic-Indic digits', '١٢٣٤٥٦'],
    ])('refuses %s', async (_what, code) => {
      const { user } = await service.addEnrolledUser({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
      const answer = await service.login({ email: user.email, password: user.password, code });
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

    test.each([-60, 60])('refuses a code of %i seconds from now', async (seconds) => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const code = currentTotpCode(totpSecret, service.now() + seconds * 1_000);
      const answer = await service.login({ email: user.email, password: user.password, code });
      expect(refusalOf(answer)).toStrictEqual([401, 'invalid_mfa_code']);
    });

    test('takes a code once, and no earlier code after it', async () => {
      const { user, totpSecret } = await service.addEnrolledUser();
      const earlier = currentTotpCode(totpSecret, service.now());
      const code = service.nextCode(totpSecret);
      await service.signIn(user, code);
      for (const again of [code, earlier]) {
        const answer = await service.login({ email: user.email, password: user.password, code: again });
        expect(refusalOf(answer)).toStrictEqual([401, 'invalid_mfa_code']);
      }
    });
  });
});

describe('POST /auth/refresh', () => {
  test('answers in the same shape, with new tokens of the same session', async () => {
    const user = await service.addUser();
    const first = await service.signIn(user);
    const second = tokensOf(await service.refresh(first.refreshToken));
    expect(Object.keys(second).sort()).toStrictEqual(Object.keys(first).sort());
    expect(second.user).toStrictEqual(first.user);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(decodeJwt(second.accessToken).sid).toBe(decodeJwt(first.accessToken).sid);
    expect(await service.isGood(second.accessToken)).toBe(true);
    tokensOf(await service.refresh(second.refreshToken));
  });

  test('ends the session, its access tokens included, if a refresh token is used twice', async () => {
    const first = await service.signIn(await service.addUser());
    const second = tokensOf(await service.refresh(first.refreshToken));
    const third = tokensOf(await service.refresh(second.refreshToken));
    expect(refusalOf(await service.refresh(first.refreshToken))).toStrictEqual([
      401,
      'invalid_refresh_token',
    ]);
    expect(refusalOf(await service.refresh(third.refreshToken))).toStrictEqual([
      401,
      'invalid_refresh_token',
    ]);
    for (const { accessToken } of [first, second, third]) {
      await until(async () => !(await service.isGood(accessToken)));
    }
  });

  test('leaves the user’s other sessions alone', async () => {
    const user = await service.addUser();
    const [one, other] = [await service.signIn(user), await service.signIn(user)];
    await service.refresh(one.refreshToken);
    await service.refresh(one.refreshToken);
    tokensOf(await service.refresh(other.refreshToken));
  });

  test('keeps the MFA of the session', async () => {
    const tokens = await service.signInWithMfa(await service.addEnrolledUser());
    service.pass(60);
    expect(tokensOf(await service.refresh(tokens.refreshToken)).user.mfa).toStrictEqual(tokens.user.mfa);
  });

  test.each([
    ['an unknown token', () => `fsr_${'a'.repeat(43)}`],
    ['an access token', ({ accessToken }: Tokens) => accessToken],
    ['an empty token', () => ''],
    ['a token that is too long', ({ refreshToken }: Tokens) => `${refreshToken}a`],
  ])('refuses %s', async (_what, change) => {
    const tokens = await service.signIn(await service.addUser());
    expect(refusalOf(await service.refresh(change(tokens)))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test('a refresh token is no access token', async () => {
    const { refreshToken } = await service.signIn(await service.addUser());
    expect((await service.ask('GET', FILTERS, undefined, refreshToken)).status).toBe(401);
  });

  test.each([undefined, null, 1, {}])('refuses %j as a token with a 400', async (token) => {
    expect(refusalOf(await service.refresh(token)).slice(0, 2)).toStrictEqual([400, 'validation_failed']);
  });

  test('keeps a session alive for a week at a time, and for thirty days in all', async () => {
    const user = await service.addUser();
    const idle = await service.signIn(user);
    let kept = await service.signIn(user);
    for (let week = 0; week < 4; week++) {
      service.pass(7 * 86_400 - 1);
      kept = tokensOf(await service.refresh(kept.refreshToken));
    }
    expect(refusalOf(await service.refresh(idle.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    service.pass(2 * 86_400 + 4);
    expect(refusalOf(await service.refresh(kept.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test.each<[string, UserChange]>([
    ['is disabled', { status: 'disabled' }],
    ['is deleted', { status: 'deleted' }],
    ['has another password', { newAuthEpoch: true }],
  ])('refuses a user who %s', async (_what, change) => {
    const user = await service.addUser();
    const { refreshToken } = await service.signIn(user);
    await service.probe.changeUser(user.id, change);
    expect(refusalOf(await service.refresh(refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });
});

describe('POST /auth/logout', () => {
  test('ends the session: its tokens stop working', async () => {
    const tokens = await service.signIn(await service.addUser());
    const answer = await service.ask('POST', `${AUTH}/logout`, { refreshToken: tokens.refreshToken });
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    expect(refusalOf(await service.refresh(tokens.refreshToken))).toStrictEqual([
      401,
      'invalid_refresh_token',
    ]);
    await until(async () => !(await service.isGood(tokens.accessToken)));
  });

  test('leaves the user’s other sessions alone', async () => {
    const user = await service.addUser();
    const [one, other] = [await service.signIn(user), await service.signIn(user)];
    await service.ask('POST', `${AUTH}/logout`, { refreshToken: one.refreshToken });
    await until(async () => !(await service.isGood(one.accessToken)));
    expect(await service.isGood(other.accessToken)).toBe(true);
    tokensOf(await service.refresh(other.refreshToken));
  });

  test('is 204 for an unknown token, too', async () => {
    const answer = await service.ask('POST', `${AUTH}/logout`, { refreshToken: 'fsr_unknown' });
    expect(answer.status).toBe(204);
  });

  test('refuses a body without a token', async () => {
    expect(refusalOf(await service.ask('POST', `${AUTH}/logout`, {}))).toStrictEqual([
      400,
      'validation_failed',
      ['refreshToken', 'value_required'],
    ]);
  });
});

describe('GET /auth/me', () => {
  test('describes a platform administrator of a partner', async () => {
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
        isWholePartner: false,
        permissions: [],
        isPlatformAdmin: true,
        mfa: { enrolled: false, verifiedAt: null },
      },
    ]);
  });

  test('describes the user of an API key, with the organization of the key', async () => {
    const { users, orgIds } = service.tenants;
    expect((await service.as('key-P-to-A')('GET', `${AUTH}/me`)).body).toMatchObject({
      id: users['P-all'].id,
      scope: 'organization',
      orgId: orgIds.A,
      mfa: { enrolled: false, verifiedAt: null },
    });
  });
});

describe('the limit of sign-ins', () => {
  test('is ten attempts for an email, known or not, in any letter case', async () => {
    const user = await service.addUser();
    for (const email of [user.email, 'unknown@example.com']) {
      for (let i = 0; i < 10; i++) {
        expect(
          (await service.login({ email: i % 2 === 0 ? email : email.toUpperCase(), password: 'wrong' }))
            .status,
        ).toBe(401);
      }
      const refused = await service.login({ email, password: user.password });
      expect([refusalOf(refused), refused.headers.get('retry-after')]).toStrictEqual([
        [429, 'rate_limited'],
        '300',
      ]);
    }
    service.pass(299);
    expect(
      (await service.login({ email: user.email, password: user.password })).headers.get('retry-after'),
    ).toBe('1');
    service.pass(1);
    await service.signIn(user);
  });

  test('is ten attempts from an address, whatever X-Forwarded-For says', async () => {
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

/** Second factors, with a test for each line of the contract (Contract: §2). */
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
import { type Answer, refusalOf } from '#test/api/service/service.ts';

const PASSWORD = 'correct horse battery staple';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

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

  test('offer a secret, and answer a code of it with ten recovery codes', async () => {
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
    expect(tokensOf(await service.refresh(refreshToken)).user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
    expect(refusalOf(await service.login({ email: user.email, password: user.password }))).toStrictEqual([
      401,
      'mfa_required',
    ]);
  });

  test('set up no factor until the code is right', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    await enroll(accessToken);
    expect(refusalOf(await confirm('000000', accessToken))).toStrictEqual([401, 'invalid_mfa_code']);
    expect((await service.signIn(user)).user.mfa).toStrictEqual({ enrolled: false, verifiedAt: null });
  });

  test('accept only codes of the secret that was offered last', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    const first = secretOf(await enroll(accessToken));
    const second = secretOf(await enroll(accessToken));
    expect(refusalOf(await confirm(service.nextCode(first), accessToken))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
    expect((await confirm(service.nextCode(second), accessToken)).status).toBe(200);
  });

  test('use up the code that confirms, which then cannot sign in', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const secret = secretOf(await enroll(accessToken));
    const code = service.nextCode(secret);
    expect((await confirm(code, accessToken)).status).toBe(200);
    expect(
      refusalOf(await service.login({ email: user.email, password: user.password, code })),
    ).toStrictEqual([401, 'invalid_mfa_code']);
  });

  test('refuse a confirmation before an offer, or a quarter of an hour after it', async () => {
    const user = await service.addUser();
    const first = await service.signIn(user);
    expect(refusalOf(await confirm('123456', first.accessToken))).toStrictEqual([409, 'conflict']);
    const secret = secretOf(await enroll(first.accessToken));
    service.pass(900);
    const { accessToken } = await service.signIn(user);
    const code = currentTotpCode(secret, service.now());
    expect(refusalOf(await confirm(code, accessToken))).toStrictEqual([409, 'conflict']);
  });

  test('need recent MFA if there already is a factor', async () => {
    const enrolled = await service.addEnrolledUser();
    const { refreshToken } = await service.signInWithMfa(enrolled);
    service.pass(901);
    const { accessToken } = tokensOf(await service.refresh(refreshToken));
    const answer = await enroll(accessToken);
    expect(refusalOf(answer)).toStrictEqual([401, 'mfa_required']);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="900"',
    );
    expect(refusalOf(await confirm('123456', accessToken))).toStrictEqual([401, 'mfa_required']);
  });

  test('replace the first factor, and void its codes, its recovery codes and all MFA by it', async () => {
    const user = await service.addUser();
    const { accessToken, refreshToken } = await service.signIn(user);
    const first = await setUp(accessToken);
    const fresh = tokensOf(await service.refresh(refreshToken));
    const other = await service.signIn(user, service.nextCode(first.secret));
    const second = await setUp(fresh.accessToken);
    const confirmedAt = service.now();
    for (const code of [service.nextCode(first.secret), first.recoveryCodes[0]]) {
      expect(
        refusalOf(await service.login({ email: user.email, password: user.password, code })),
      ).toStrictEqual([401, 'invalid_mfa_code']);
    }
    await service.signIn(user, service.nextCode(second.secret));
    const me = async (token: string) => (await service.ask('GET', `${AUTH}/me`, undefined, token)).body;
    // This token claims MFA, by the first factor.
    expect(await me(fresh.accessToken)).toMatchObject({ mfa: { enrolled: true, verifiedAt: null } });
    expect(tokensOf(await service.refresh(fresh.refreshToken)).user.mfa).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(confirmedAt).toISOString(),
    });
    expect(await service.isGood(other.accessToken)).toBe(false);
    expect(refusalOf(await service.refresh(other.refreshToken))).toStrictEqual([
      401,
      'invalid_refresh_token',
    ]);
  });

  test('give recovery codes that work wherever a code does, once each, in any letter case', async () => {
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
    expect(
      refusalOf(await service.login({ email: user.email, password: user.password, code: one })),
    ).toStrictEqual([401, 'invalid_mfa_code']);
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

  test('counts for the later tokens of the session', async () => {
    const enrolled = await service.addEnrolledUser();
    const first = await service.signInWithMfa(enrolled);
    service.pass(600);
    await challenge(service.nextCode(enrolled.totpSecret), first.accessToken);
    expect(tokensOf(await service.refresh(first.refreshToken)).user.mfa).toStrictEqual({
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

  test('tells a person without a factor to set one up', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await challenge('123456', accessToken))).toStrictEqual([403, 'mfa_enrollment_required']);
  });

  test('is 429 after five wrong codes in five minutes, even for the right one, until the window has passed', async () => {
    const enrolled = await service.addEnrolledUser();
    const first = await service.signInWithMfa(enrolled);
    for (let i = 0; i < 3; i++) {
      // The right ones do not count.
      expect((await challenge(service.nextCode(enrolled.totpSecret), first.accessToken)).status).toBe(200);
    }
    service.pass(300);
    const { accessToken, refreshToken } = tokensOf(await service.refresh(first.refreshToken));
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
    const again = tokensOf(await service.refresh(refreshToken)).accessToken;
    expect((await challenge(service.nextCode(enrolled.totpSecret), again)).status).toBe(200);
  });

  test('counts wrong codes together with those of signing in', async () => {
    const enrolled = await service.addEnrolledUser();
    const { email, password } = enrolled.user;
    const { accessToken } = await service.signInWithMfa(enrolled);
    for (let i = 0; i < 3; i++) await service.login({ email, password, code: 'no code' });
    for (let i = 0; i < 2; i++) {
      expect(refusalOf(await challenge('no code', accessToken))).toStrictEqual([401, 'invalid_mfa_code']);
    }
    const code = service.nextCode(enrolled.totpSecret);
    const limited = [429, 'rate_limited'];
    expect(refusalOf(await challenge(code, accessToken))).toStrictEqual(limited);
    expect(refusalOf(await service.login({ email, password, code }))).toStrictEqual(limited);
  });
});

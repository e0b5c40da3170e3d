/** A stolen access token cannot take over an account, and its user gets a mail of each change (Contract: §2). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { MailKind } from '#domain/mail/queued-mail.ts';
import { renderMail } from '#domain/mail/render-mail.ts';
import {
  AUTH,
  type AuthService,
  startAuthService,
  type Tokens,
  tokensOf,
} from '#test/api/service/auth-service.ts';
import { FILTERS, refusalOf } from '#test/api/service/service.ts';

const DAY = 86_400;
const DELETION = `${AUTH}/account-deletion-request`;

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const post = (path: string, body: unknown, token?: string) =>
  service.ask('POST', `${AUTH}${path}`, body, token);
const statusWith = async ({ accessToken }: Tokens) =>
  (await service.ask('GET', FILTERS, undefined, accessToken)).status;

async function refresh({ refreshToken }: Tokens): Promise<Tokens> {
  return tokensOf(await post('/refresh', { refreshToken }));
}

/** Sets up a factor; gives its secret and its recovery codes. */
async function enroll({ password }: UserRecord, { accessToken }: Tokens) {
  const offer = await post('/mfa/enroll', { password }, accessToken);
  const { secret } = offer.body as { secret: string };
  const confirmed = await post('/mfa/enroll/confirm', { code: service.nextCode(secret) }, accessToken);
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`);
  return { secret, ...(confirmed.body as { recoveryCodes: readonly string[] }) };
}

/** The kinds of the mails to a user, oldest first. */
async function mailsTo({ id }: UserRecord): Promise<readonly MailKind[]> {
  const mails = await service.composition.backend.mailOutbox.list(null, 1_000);
  return mails
    .filter(({ userId }) => userId === id)
    .map(({ kind }) => kind)
    .toReversed();
}

describe('POST /auth/mfa/enroll', () => {
  test.each([
    ['without a body', undefined],
    ['without a password', {}],
    ['with null as password', { password: null }],
    ['with a number as password', { password: 1 }],
  ])('%s is 400', async (_what, body) => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect((await post('/mfa/enroll', body, accessToken)).status).toBe(400);
  });

  test('with a wrong password is 403 and begins nothing; the password counts exactly as typed', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    for (const password of ['wrong', `${user.password} `, user.password.toUpperCase(), '']) {
      expect(refusalOf(await post('/mfa/enroll', { password }, accessToken))).toStrictEqual([
        403,
        'invalid_password',
      ]);
    }
    expect(refusalOf(await post('/mfa/enroll/confirm', { code: '123456' }, accessToken))).toStrictEqual([
      409,
      'conflict',
    ]);
  });

  test('allows five tries in five minutes, right or wrong, and is 429 from then on', async () => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    const attempt = (password: string) => post('/mfa/enroll', { password }, tokens.accessToken);
    // Bodies without a password do not count as tries.
    await post('/mfa/enroll', {}, tokens.accessToken);
    for (const password of [user.password, 'wrong', 'wrong', 'wrong', 'wrong']) {
      expect((await attempt(password)).status).toBe(password === 'wrong' ? 403 : 200);
    }
    const refused = await attempt(user.password);
    expect([refusalOf(refused), refused.headers.get('retry-after')]).toStrictEqual([
      [429, 'rate_limited'],
      '300',
    ]);
    const reasons = (await service.probe.auditEntries())
      .filter(({ resourceId, action }) => resourceId === user.id && action === 'auth.mfa.enrolled')
      .map(({ details }) => details.reason);
    expect(reasons).toStrictEqual([...Array(4).fill('invalid_password'), 'rate_limited']);
    service.pass(300);
    expect((await attempt(user.password)).status).toBe(200);
  });

  test('counts tries separately from those of account deletions', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    const bodies = Array.from({ length: 5 }, () => ({ password: 'wrong' }));
    for (const body of bodies) {
      expect((await service.ask('POST', DELETION, body, accessToken)).status).toBe(403);
    }
    for (const body of bodies) expect((await post('/mfa/enroll', body, accessToken)).status).toBe(403);
    expect((await service.ask('POST', DELETION, bodies[0], accessToken)).status).toBe(429);
    expect((await post('/mfa/enroll', bodies[0], accessToken)).status).toBe(429);
  });

  test('checks in this order: credential, API key, MFA, body, rate, password', async () => {
    expect((await post('/mfa/enroll', '{')).status).toBe(401);
    expect(refusalOf(await service.as('key-A')('POST', `${AUTH}/mfa/enroll`, '{'))).toStrictEqual([
      403,
      'mfa_not_possible',
    ]);
    const enrolled = await service.addEnrolledUser();
    const first = await service.signInWithMfa(enrolled);
    service.pass(901);
    const { accessToken } = await refresh(first);
    expect(refusalOf(await post('/mfa/enroll', '{', accessToken))).toStrictEqual([401, 'mfa_required']);
    const code = service.nextCode(enrolled.totpSecret);
    const fresh = tokensOf(await post('/mfa/challenge', { code }, accessToken)).accessToken;
    for (let i = 0; i < 5; i++) await post('/mfa/enroll', { password: 'wrong' }, fresh);
    expect(refusalOf(await post('/mfa/enroll', '{', fresh))).toStrictEqual([400, 'invalid_json']);
    expect((await post('/mfa/enroll', { password: 'wrong' }, fresh)).status).toBe(429);
    expect((await post('/mfa/enroll', { password: enrolled.user.password }, fresh)).status).toBe(429);
  });

  test('needs the password and fresh MFA if there already is a factor', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    expect(refusalOf(await post('/mfa/enroll', { password: 'wrong' }, accessToken))).toStrictEqual([
      403,
      'invalid_password',
    ]);
    const { password } = enrolled.user;
    expect((await post('/mfa/enroll', { password }, accessToken)).status).toBe(200);
  });
});

test('setting up a factor ends the user’s other sessions, and nobody else’s', async () => {
  const user = await service.addUser();
  const [one, two, stranger] = [
    await service.signIn(user),
    await service.signIn(user),
    await service.signIn(await service.addUser()),
  ];
  const mine = await service.signIn(user);
  for (const tokens of [one, two, stranger, mine]) expect(await statusWith(tokens)).toBe(200);
  await enroll(user, mine);
  expect(await Promise.all([one, two, stranger, mine].map(statusWith))).toStrictEqual([401, 401, 200, 200]);
  for (const { refreshToken } of [one, two]) {
    expect(refusalOf(await post('/refresh', { refreshToken }))).toStrictEqual([401, 'invalid_refresh_token']);
  }
  await refresh(mine);
  await refresh(stranger);
});

describe('a mail goes to the user', () => {
  test('for a factor that is set up, and not for one that was only begun', async () => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    await post('/mfa/enroll', { password: user.password }, tokens.accessToken);
    await post('/mfa/enroll/confirm', { code: '000000' }, tokens.accessToken);
    expect(await mailsTo(user)).toStrictEqual([]);
    const { secret } = await enroll(user, tokens);
    await enroll(user, await service.signIn(user, service.nextCode(secret)));
    expect(await mailsTo(user)).toStrictEqual(['mfa-enrolled', 'mfa-enrolled']);
  });

  test('for a recovery code, wherever it is used, and not for a code of the app or a wrong one', async () => {
    const user = await service.addUser();
    const { secret, recoveryCodes } = await enroll(user, await service.signIn(user));
    const before = await mailsTo(user);
    const [one = '', two = ''] = recoveryCodes;
    const tokens = await service.signIn(user, one);
    expect(await mailsTo(user)).toStrictEqual([...before, 'recovery-code-used']);
    for (const code of [one, 'no code', service.nextCode(secret)]) {
      await post('/mfa/challenge', { code }, tokens.accessToken);
    }
    expect(await mailsTo(user)).toStrictEqual([...before, 'recovery-code-used']);
    expect((await post('/mfa/challenge', { code: two }, tokens.accessToken)).status).toBe(200);
    expect(await mailsTo(user)).toStrictEqual([...before, 'recovery-code-used', 'recovery-code-used']);
  });

  test('for an API key that is created or revoked, and not if either is refused', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    await post('/api-keys', { name: '' }, accessToken);
    const created = await post('/api-keys', { name: 'Nightly export' }, accessToken);
    const { id } = created.body as { id: string };
    const revoke = () => service.ask('DELETE', `${AUTH}/api-keys/${id}`, undefined, accessToken);
    expect([(await revoke()).status, (await revoke()).status]).toStrictEqual([204, 404]);
    expect(await mailsTo(enrolled.user)).toStrictEqual(['api-key-created', 'api-key-revoked']);
  });

  test('with the name of the key, and without any secret', async () => {
    const user = await service.addUser();
    const tokens = await service.signIn(user);
    const { secret, recoveryCodes } = await enroll(user, tokens);
    const [recoveryCode = ''] = recoveryCodes;
    const { accessToken } = await service.signIn(user, recoveryCode);
    const created = await post('/api-keys', { name: 'Nightly <b>export</b>' }, accessToken);
    const { key, id } = created.body as { key: string; id: string };
    await service.ask('DELETE', `${AUTH}/api-keys/${id}`, undefined, accessToken);
    const { mailOutbox } = service.composition.backend;
    const texts: string[] = [];
    for (;;) {
      const claimed = await mailOutbox.claim(service.now(), 60_000);
      if (claimed === null) break;
      if (claimed.mail.to.userId !== user.id) continue;
      const { subject, text, html } = renderMail(claimed.mail, 'https://fleet.example.com');
      texts.push(subject, text, html);
    }
    expect(texts).toHaveLength(4 * 3);
    const all = texts.join('\n');
    expect(all).toContain('Key: Nightly <b>export</b>');
    expect(all).not.toContain('<bdi>Nightly <b>');
    for (const kept of [user.password, secret, ...recoveryCodes, key, accessToken, tokens.refreshToken]) {
      expect(all).not.toContain(kept);
    }
  });
});

describe('an expired session', () => {
  /** Refreshes a session until five minutes before its end; the last access token outlives it. */
  async function nearItsEnd(first: Tokens): Promise<Tokens> {
    let tokens = first;
    for (let days = 0; days < 30; days += 6) {
      service.pass(6 * DAY - 60);
      tokens = await refresh(tokens);
    }
    return tokens;
  }

  test('passes no challenge with a token that outlives it, and uses up no code', async () => {
    const enrolled = await service.addEnrolledUser();
    const tokens = await nearItsEnd(await service.signInWithMfa(enrolled));
    service.pass(301);
    expect(await statusWith(tokens)).toBe(200);
    const code = currentTotpCode(enrolled.totpSecret, service.now());
    const answer = await post('/mfa/challenge', { code }, tokens.accessToken);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'unauthenticated'],
      'Bearer',
    ]);
    await service.signIn(enrolled.user, code);
  });

  test('cannot set up a second factor either', async () => {
    const user = await service.addUser();
    const tokens = await nearItsEnd(await service.signIn(user));
    const offer = await post('/mfa/enroll', { password: user.password }, tokens.accessToken);
    const code = service.nextCode((offer.body as { secret: string }).secret);
    service.pass(301);
    expect(await statusWith(tokens)).toBe(200);
    for (const [path, body] of [
      ['/mfa/enroll', { password: user.password }],
      ['/mfa/enroll/confirm', { code }],
    ] as const) {
      expect(refusalOf(await post(path, body, tokens.accessToken))).toStrictEqual([401, 'unauthenticated']);
    }
  });
});

describe('the limit of refreshes', () => {
  const use = (refreshToken: string) => post('/refresh', { refreshToken });

  test('is 120 for a session in five minutes; other sessions of the user are served', async () => {
    const user = await service.addUser();
    let tokens = await service.signIn(user);
    const other = await service.signIn(user);
    for (let i = 0; i < 120; i++) tokens = await refresh(tokens);
    const refused = await use(tokens.refreshToken);
    expect([refusalOf(refused), refused.headers.get('retry-after')]).toStrictEqual([
      [429, 'rate_limited'],
      '300',
    ]);
    expect(refusalOf(await use(tokens.refreshToken))).toStrictEqual([429, 'rate_limited']);
    const denied = (await service.probe.auditEntries()).filter(
      ({ actor, result }) => actor.id === user.id && result === 'denied',
    );
    expect(denied).toMatchObject([{ action: 'auth.login', details: { reason: 'rate_limited' } }]);
    await refresh(other);
    service.pass(300);
    await refresh(tokens);
  });

  test('hides no theft: a used token ends the session even at the limit', async () => {
    let tokens = await service.signIn(await service.addUser());
    const stolen = tokens;
    for (let i = 0; i < 120; i++) tokens = await refresh(tokens);
    expect(refusalOf(await use(stolen.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    expect(await statusWith(tokens)).toBe(401);
    service.pass(300);
    expect(refusalOf(await use(tokens.refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
  });
});

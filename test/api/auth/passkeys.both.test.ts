/** Passkeys, with a test for each line of the contract (Contract: §16). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webauthn } from '#adapters/auth/webauthn.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import {
  AUTH,
  type AuthService,
  startAuthService,
  type Tokens,
  tokensOf,
} from '#test/api/service/auth-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import {
  type Misbehaviour,
  makeAuthenticator,
  type SoftAuthenticator,
} from '#test/support/auth/soft-authenticator.ts';
import { anIdentityProvider, aUser, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet, setStatus } from '#test/support/tenant.ts';

import { takeMails, tokenIn } from './take-mails.ts';

const ORIGIN = 'http://localhost';

type Json = Record<string, unknown>;

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const post = (path: string, body: unknown, token?: string) =>
  service.ask('POST', `${AUTH}${path}`, body, token);

const offer = async () => (await post('/passkey/options', {})).body as Json;

async function creationOptions(token: string, body: unknown): Promise<Json> {
  const answer = await post('/passkeys/options', body, token);
  if (answer.status !== 200) throw new Error(`no options: ${answer.text}`);
  return answer.body as Json;
}

interface KeyHolder {
  readonly user: UserRecord;
  readonly authenticator: SoftAuthenticator;
  readonly tokens: Tokens;
  readonly passkeyId: string;
  readonly recoveryCodes: readonly string[];
}

/** Somebody whose only factor is a passkey. */
async function addKeyHolder(countsUses = false, wrong: Misbehaviour = {}): Promise<KeyHolder> {
  const user = await service.addUser();
  const { accessToken, refreshToken } = await service.signIn(user);
  const authenticator = makeAuthenticator(ORIGIN, { countsUses });
  const options = await creationOptions(accessToken, { password: user.password });
  const added = await post(
    '/passkeys',
    { response: authenticator.create(options, wrong), name: ' Laptop ' },
    accessToken,
  );
  if (added.status !== 201) throw new Error(`not added: ${added.text}`);
  const { id, recoveryCodes } = added.body as { id: string; recoveryCodes: string[] };
  const tokens = tokensOf(await service.refresh(refreshToken));
  return { user, authenticator, tokens, passkeyId: id, recoveryCodes };
}

const signIn = (passkey: unknown, path = '/login') => post(path, { passkey });

/** The kinds of the mails to a person, oldest first. */
async function mailsTo({ id }: UserRecord): Promise<readonly string[]> {
  const mails = await service.composition.backend.mailOutbox.list(null, 1_000);
  return mails
    .filter(({ userId }) => userId === id)
    .map(({ kind }) => kind)
    .toReversed();
}

describe('adding a passkey', () => {
  test('gives options for a resident credential with user verification, for the host of the service', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    expect(await creationOptions(accessToken, { password: user.password })).toMatchObject({
      rp: { id: 'localhost', name: 'Fleetsift' },
      user: { name: user.email, displayName: user.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      challenge: expect.stringMatching(/^[\w-]{43,}$/),
    });
  });

  test('needs the password of people without a second factor', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    expect(refusalOf(await post('/passkeys/options', {}, accessToken))).toStrictEqual([
      400,
      'validation_failed',
      ['password', 'value_required'],
    ]);
    expect(refusalOf(await post('/passkeys/options', { password: 'wrong' }, accessToken))).toStrictEqual([
      403,
      'invalid_password',
    ]);
  });

  test('allows five wrong passwords in five minutes', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    const answers: Answer[] = [];
    for (let i = 0; i < 6; i++)
      answers.push(await post('/passkeys/options', { password: 'wrong' }, accessToken));
    expect(answers.map(({ status }) => status)).toStrictEqual([403, 403, 403, 403, 403, 429]);
  });

  test('takes fresh MFA in place of the password, and needs it if there already is a factor', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken, refreshToken } = await service.signInWithMfa(enrolled);
    const made = makeAuthenticator(ORIGIN).create(await creationOptions(accessToken, {}));
    const added = await post('/passkeys', { response: made, name: 'Key' }, accessToken);
    expect([added.status, added.body]).toStrictEqual([
      201,
      { id: expect.any(String), name: 'Key', createdAt: new Date(service.now()).toISOString() },
    ]);
    service.pass(1_000);
    const later = tokensOf(await service.refresh(refreshToken)).accessToken;
    const { password } = enrolled.user;
    expect(refusalOf(await post('/passkeys/options', { password }, later))).toStrictEqual([
      401,
      'mfa_required',
    ]);
  });

  test('gives ten recovery codes with the first factor, verifies the session, and sends a mail', async () => {
    const { user, tokens, passkeyId, recoveryCodes } = await addKeyHolder();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(tokens.user['mfa']).toStrictEqual({
      enrolled: true,
      verifiedAt: new Date(service.now()).toISOString(),
    });
    const list = await service.ask('GET', `${AUTH}/passkeys`, undefined, tokens.accessToken);
    expect(list.body).toStrictEqual({
      data: [
        {
          id: passkeyId,
          name: 'Laptop',
          createdAt: new Date(service.now()).toISOString(),
          lastUsedAt: null,
          backedUp: true,
        },
      ],
    });
    expect(await mailsTo(user)).toStrictEqual(['passkey-added']);
  });

  test.each<[string, Misbehaviour]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['no user verification', { isUserVerified: false }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['a challenge that it chose itself', { challenge: 'Y2hhbGxlbmdl' }],
  ])('refuses a credential with %s', async (_, wrong) => {
    await expect(addKeyHolder(false, wrong)).rejects.toThrow('validation_failed');
  });

  test('takes a challenge once, in the session that got it, for five minutes, and none for signing in', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const other = (await service.signIn(user)).accessToken;
    const options = await creationOptions(accessToken, { password: user.password });
    const add = (from: Json, token = accessToken) =>
      post(
        '/passkeys',
        { response: makeAuthenticator(ORIGIN).create({ ...options, ...from }), name: 'x' },
        token,
      );
    const refused = [400, 'validation_failed', ['response', 'invalid_value']];
    expect(refusalOf(await add({ challenge: (await offer())['challenge'] }))).toStrictEqual(refused);
    expect(refusalOf(await add({}, other))).toStrictEqual(refused);
    expect((await add({})).status).toBe(201);
    expect(refusalOf(await add({}))).toStrictEqual(refused);
    const later = await service.signIn(await service.addUser());
    const stale = await creationOptions(later.accessToken, { password: user.password });
    service.pass(300);
    expect(refusalOf(await add(stale, later.accessToken))).toStrictEqual(refused);
  });

  test('is refused for a credential that another account has', async () => {
    const credentialId = 'dGFrZW4tY3JlZGVudGlhbA';
    await addKeyHolder(false, { credentialId });
    await expect(addKeyHolder(false, { credentialId })).rejects.toThrow('"conflict"');
  });
});

const PASSKEY_FAULT = [400, 'validation_failed', ['passkey', 'invalid_value']];

describe('signing in with a passkey', () => {
  test.each(['/login', '/session'])(
    'POST /auth%s needs neither email nor password, and counts as fresh MFA',
    async (path) => {
      const { user, authenticator, tokens: earlier } = await addKeyHolder();
      service.pass(60);
      const options = await offer();
      expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
      expect(options['allowCredentials']).toBeUndefined();
      const answer = await signIn(authenticator.get(options), path);
      expect(answer.status).toBe(200);
      const tokens = answer.body as Tokens;
      expect(tokens.user).toMatchObject({
        id: user.id,
        mfa: { enrolled: true, verifiedAt: new Date(service.now()).toISOString() },
      });
      const created = await post('/api-keys', { name: 'x' }, tokens.accessToken);
      expect(created.status).toBe(201);
      const { body } = await service.ask('GET', `${AUTH}/passkeys`, undefined, earlier.accessToken);
      expect(body).toMatchObject({ data: [{ lastUsedAt: new Date(service.now()).toISOString() }] });
    },
  );

  test('a replayed answer and one of an old challenge are refused', async () => {
    const { authenticator } = await addKeyHolder();
    const answer = authenticator.get(await offer());
    expect((await signIn(answer)).status).toBe(200);
    expect(refusalOf(await signIn(answer))).toStrictEqual([401, 'invalid_credentials']);
    const old = authenticator.get(await offer());
    service.pass(300);
    expect(refusalOf(await signIn(old))).toStrictEqual([401, 'invalid_credentials']);
  });

  test('lets in only one of ten that send the same answer at once', async () => {
    const { authenticator } = await addKeyHolder();
    const answer = authenticator.get(await offer());
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(answer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('answers every failure alike', async () => {
    const { authenticator } = await addKeyHolder(true);
    const other = await addKeyHolder();
    const someoneElses = other.authenticator.get(await offer());
    const answers = [
      authenticator.get(await offer(), { origin: 'https://evil.example' }),
      authenticator.get(await offer(), { rpId: 'evil.example' }),
      authenticator.get(await offer(), { isUserVerified: false }),
      authenticator.get(await offer(), { type: 'webauthn.create' }),
      authenticator.get(await offer(), { challenge: 'bWluZQ' }),
      authenticator.get(await offer(), { credentialId: 'dW5rbm93bg' }),
      authenticator.get(await offer(), { counter: 1 }),
      { ...someoneElses, id: (authenticator.get(await offer()) as { id: string }).id },
      { id: 'x', response: { clientDataJSON: Buffer.from('{"challenge":"x"}').toString('base64url') } },
    ];
    const seen = new Set<string>();
    for (const answer of answers) {
      service.pass(300);
      const { status, body } = await signIn(answer);
      const { requestId: _, ...rest } = body as Json;
      seen.add(JSON.stringify([status, rest]));
    }
    expect([...seen]).toStrictEqual([expect.stringContaining('"code":"invalid_credentials"')]);
  });

  test('a counter that stands still or goes back is refused and audited', async () => {
    const { user, authenticator } = await addKeyHolder(true);
    expect((await signIn(authenticator.get(await offer(), { counter: 7 }))).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      expect(refusalOf(await signIn(authenticator.get(await offer(), { counter })))).toStrictEqual([
        401,
        'invalid_credentials',
      ]);
    }
    const denied = (await service.probe.auditEntries()).filter(
      ({ actor, result }) => actor.id === user.id && result === 'denied',
    );
    expect(denied.map(({ details }) => details)).toStrictEqual(
      Array.from({ length: 3 }, () => ({ reason: 'passkey_counter' })),
    );
    expect((await signIn(authenticator.get(await offer(), { counter: 8 }))).status).toBe(200);
  });

  test('a counter that stands still is refused and audited at a challenge and at a reset too', async () => {
    const { user, authenticator, tokens } = await addKeyHolder(true);
    expect((await signIn(authenticator.get(await offer(), { counter: 7 }))).status).toBe(200);
    await post('/password-reset', { email: user.email });
    const link = (await takeMails(service.composition)).find(({ kind }) => kind === 'password-reset-link');
    const reset = { token: tokenIn(link, 'reset-password'), newPassword: 'a wholly new password' };
    const proving = async (counter: number) => authenticator.get(await offer(), { counter });
    const challenge = (passkey: unknown) => post('/mfa/challenge', { passkey }, tokens.accessToken);
    const confirm = (passkey: unknown) => post('/password-reset/confirm', { ...reset, passkey });
    for (const prove of [challenge, confirm]) {
      expect(refusalOf(await prove(await proving(7)))).toStrictEqual([401, 'invalid_mfa_code']);
    }
    const denied = (await service.probe.auditEntries()).filter(
      ({ resourceId, result }) => resourceId === user.id && result === 'denied',
    );
    expect(denied.map(({ action, details }) => [action, details])).toStrictEqual([
      ['auth.mfa.challenge', { reason: 'invalid_mfa_code' }],
      ['auth.password.reset', { reason: 'invalid_mfa_code' }],
    ]);
    expect((await challenge(await proving(8))).status).toBe(200);
    expect((await confirm(await proving(9))).status).toBe(204);
  });

  test('is limited by address, like other sign-ins', async () => {
    const peer = '198.51.100.9';
    const answers: Answer[] = [];
    for (let i = 0; i < 11; i++) {
      const wrong = makeAuthenticator(ORIGIN);
      wrong.create({ rp: { id: 'localhost' }, user: { id: 'eA' } });
      answers.push(await service.askFrom(peer, `${AUTH}/login`, { passkey: wrong.get(await offer()) }));
    }
    expect(answers.map(({ status }) => status)).toStrictEqual([...Array(10).fill(401), 429]);
  });

  test('takes either a passkey or a password, and not both', async () => {
    const { user, authenticator } = await addKeyHolder();
    const passkey = authenticator.get(await offer());
    const answer = await post('/login', { passkey, email: user.email, password: user.password });
    expect(refusalOf(answer)).toStrictEqual(PASSKEY_FAULT);
    expect(refusalOf(await post('/login', { passkey: 'x' }))).toStrictEqual(PASSKEY_FAULT);
  });

  test.each<[string, (tx: Transaction, id: UserId) => Promise<unknown>]>([
    ['a disabled', (tx, id) => setStatus(tx, id, 'disabled')],
    ['an erased', (tx, id) => tx.eraseAccount(id)],
  ])('is refused to %s person', async (_, end) => {
    const { user, authenticator } = await addKeyHolder();
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => end(tx, user.id));
    expect(refusalOf(await signIn(authenticator.get(await offer())))).toStrictEqual([
      401,
      'invalid_credentials',
    ]);
  });
});

describe('a passkey as second factor', () => {
  test('a password alone no longer suffices, and recovery codes work', async () => {
    const { user, recoveryCodes } = await addKeyHolder();
    const { email, password } = user;
    expect(refusalOf(await service.login({ email, password }))).toStrictEqual([401, 'mfa_required']);
    expect(refusalOf(await service.login({ email, password, code: '123456' }))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
    const { user: signedIn } = await service.signIn(user, recoveryCodes[0]);
    expect(signedIn['mfa']).toMatchObject({ enrolled: true, verifiedAt: expect.any(String) });
  });

  test('POST /auth/mfa/challenge takes only a passkey of the same person', async () => {
    const { authenticator, tokens } = await addKeyHolder();
    const other = await addKeyHolder();
    service.pass(1_000);
    const { accessToken } = tokensOf(await service.refresh(tokens.refreshToken));
    const challenge = (passkey: unknown) => post('/mfa/challenge', { passkey }, accessToken);
    expect(refusalOf(await post('/api-keys', { name: 'x' }, accessToken))).toStrictEqual([
      401,
      'mfa_required',
    ]);
    expect(refusalOf(await challenge(other.authenticator.get(await offer())))).toStrictEqual([
      401,
      'invalid_mfa_code',
    ]);
    const answer = authenticator.get(await offer());
    const issued = await challenge(answer);
    expect(issued.status).toBe(200);
    const fresh = (issued.body as { accessToken: string }).accessToken;
    expect((await post('/api-keys', { name: 'x' }, fresh)).status).toBe(201);
    expect(refusalOf(await challenge(answer))).toStrictEqual([401, 'invalid_mfa_code']);
  });
});

describe('removing a passkey', () => {
  const remove = (id: string, token: string) =>
    service.ask('DELETE', `${AUTH}/passkeys/${id}`, undefined, token);

  test('needs fresh MFA, ends the other sessions, voids MFA with the last factor, and sends a mail', async () => {
    const { user, authenticator, tokens, passkeyId } = await addKeyHolder();
    const other = (await signIn(authenticator.get(await offer()))).body as Tokens;
    service.pass(1_000);
    const stale = tokensOf(await service.refresh(tokens.refreshToken)).accessToken;
    expect(refusalOf(await remove(passkeyId, stale))).toStrictEqual([401, 'mfa_required']);
    const passkey = authenticator.get(await offer());
    const { accessToken } = (await post('/mfa/challenge', { passkey }, stale)).body as Tokens;
    expect((await remove(passkeyId, accessToken)).status).toBe(204);
    expect(refusalOf(await service.refresh(other.refreshToken))).toStrictEqual([
      401,
      'invalid_refresh_token',
    ]);
    expect(refusalOf(await post('/api-keys', { name: 'x' }, accessToken))).toStrictEqual([
      403,
      'mfa_enrollment_required',
    ]);
    expect(refusalOf(await signIn(authenticator.get(await offer())))).toStrictEqual([
      401,
      'invalid_credentials',
    ]);
    expect((await service.login({ email: user.email, password: user.password })).status).toBe(200);
    expect(await mailsTo(user)).toStrictEqual(['passkey-added', 'passkey-removed']);
    const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === user.id);
    const changes = entries.filter(({ action, result }) => /passkey/.test(action) && result === 'success');
    expect(changes.map(({ action, actor }) => [action, actor.id])).toStrictEqual([
      ['auth.passkey.added', user.id],
      ['auth.passkey.removed', user.id],
    ]);
  });

  test("is the same 404 for another person's passkey, an unknown id and a malformed one", async () => {
    const mine = await addKeyHolder();
    const theirs = await addKeyHolder();
    for (const id of [theirs.passkeyId, newId(), 'no-id']) {
      expect(refusalOf(await remove(id, mine.tokens.accessToken))).toStrictEqual([404, 'not_found']);
    }
  });
});

describe('somebody without a password', () => {
  /** As an identity provider or a load file leaves them. */
  async function addPasswordless() {
    const membership = { scope: 'organization', orgId: service.tenants.orgIds.A } as const;
    const user = { ...aUser({ membership }), password: null };
    await loadFleet(service.composition.backend, [user]);
    const authenticator = makeAuthenticator(ORIGIN);
    const party = { id: 'localhost', origin: ORIGIN };
    const request = {
      challenge: 'Y2hhbGxlbmdl',
      userId: user.id,
      email: user.email,
      name: user.name,
      known: [],
    };
    const response = authenticator.create(await webauthn.creationOptions(party, request));
    const claim = webauthn.readClaim(response);
    const made = claim === null ? null : await webauthn.verifyCreation(party, claim, response);
    if (made === null) throw new Error('no passkey was made');
    const given = { id: newId<'passkey'>(), userId: user.id, name: 'x', createdAt: 0, lastUsedAt: null };
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.passkeys.add({ ...made, ...given }),
    );
    const signInAgain = async () => tokensOf(await signIn(authenticator.get(await offer())));
    return { user: { ...user, membership }, authenticator, signInAgain, passkeyId: given.id };
  }

  test('is told so, and cannot remove the last passkey without another way to sign in', async () => {
    const { user, signInAgain, passkeyId } = await addPasswordless();
    const { accessToken } = await signInAgain();
    const me = async (token: string) => (await service.ask('GET', `${AUTH}/me`, undefined, token)).body;
    expect(await me(accessToken)).toMatchObject({ passwordless: true });
    expect(await me((await addKeyHolder()).tokens.accessToken)).not.toHaveProperty('passwordless');

    const remove = (id: string) => service.ask('DELETE', `${AUTH}/passkeys/${id}`, undefined, accessToken);
    expect(refusalOf(await remove(passkeyId))).toStrictEqual([409, 'conflict']);
    const second = makeAuthenticator(ORIGIN).create(await creationOptions(accessToken, {}));
    const added = await post('/passkeys', { response: second, name: 'Second' }, accessToken);
    expect((await remove(passkeyId)).status).toBe(204);
    const { id: lastId } = added.body as { id: string };
    expect(refusalOf(await remove(lastId))).toStrictEqual([409, 'conflict']);

    // A linked provider is another way to sign in.
    const { orgId } = user.membership;
    const provider = anIdentityProvider({ owner: { kind: 'organization', orgId } });
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.identityProviders.add(provider, 'secret');
      await tx.identityProviders.link({
        ...{ providerId: provider.id, subject: newId(), userId: user.id, isMade: false },
        ...{ createdAt: service.now(), lastSignInAt: null },
      });
    });
    expect((await remove(lastId)).status).toBe(204);
  });

  test.each([
    ['deletes the account', '/account-deletion-request', 201],
    ['sets up an authenticator app', '/mfa/enroll', 200],
    ['adds a passkey', '/passkeys/options', 200],
  ])('%s within five minutes of a sign-in', async (_, path, status) => {
    const { authenticator, signInAgain } = await addPasswordless();
    const { accessToken } = await signInAgain();
    service.pass(300);
    // To add a passkey, fresh MFA replaces the password.
    if (path !== '/passkeys/options') {
      const refused = await post(path, {}, accessToken);
      expect(refusalOf(refused)).toStrictEqual([401, 'recent_sign_in_required']);
      expect(refused.headers.get('www-authenticate')).toContain('max_age="300"');
    }
    const passkey = authenticator.get(await offer());
    const proven = (await post('/mfa/challenge', { passkey }, accessToken)).body as Tokens;
    service.pass(299);
    expect((await post(path, {}, proven.accessToken)).status).toBe(status);
    expect((await post(path, {}, (await signInAgain()).accessToken)).status).toBeLessThan(300);
  });
});

describe('POST /auth/password-reset/confirm', () => {
  test("takes a passkey of the link's person, once, in place of a code", async () => {
    const { user, authenticator } = await addKeyHolder();
    const other = await addKeyHolder();
    await post('/password-reset', { email: user.email });
    const mails = await takeMails(service.composition);
    const token = tokenIn(
      mails.find(({ kind }) => kind === 'password-reset-link'),
      'reset-password',
    );
    const confirm = (proof: object) =>
      post('/password-reset/confirm', { token, newPassword: 'a wholly new password', ...proof });
    expect(refusalOf(await confirm({}))).toStrictEqual([401, 'mfa_required']);
    const passkey = authenticator.get(await offer());
    expect(refusalOf(await confirm({ passkey, code: '123456' }))).toStrictEqual(PASSKEY_FAULT);
    const stranger = other.authenticator.get(await offer());
    expect(refusalOf(await confirm({ passkey: stranger }))).toStrictEqual([401, 'invalid_mfa_code']);
    expect((await confirm({ passkey })).status).toBe(204);
  });
});

/** Forged, stolen and outdated credentials, races for single use, and the audit log (Contract: §2, §8). */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { encodePart, signingInput, signParts, type TokenParts } from '#test/adapters/auth/auth-world.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import type { UserChange } from '#test/api/service/probe.ts';
import { type Answer, FILTERS, refusalOf } from '#test/api/service/service.ts';
import { anApiKey } from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const statusWith = async (token: string) => (await service.ask('GET', FILTERS, undefined, token)).status;

describe('a token', () => {
  interface Forge {
    readonly parts: TokenParts;
    /** The signing key of the service, as a thief would hold it. */
    readonly key: KeyObject;
    readonly token: string;
  }

  /** A good token, taken apart for a test to change. */
  async function takeApart(): Promise<Forge> {
    const { accessToken } = await service.signIn(await service.addUser());
    const [header = '', payload = ''] = accessToken.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    const parts: TokenParts = { header: read(header), payload: read(payload) };
    const stored = (await service.composition.backend.signingKeys.list()).find(
      ({ kid }) => kid === parts.header.kid,
    );
    if (stored === undefined) throw new Error('the signing key is not in the store');
    return {
      parts,
      key: createPrivateKey({ key: { ...stored.privateJwk }, format: 'jwk' }),
      token: accessToken,
    };
  }

  const hmac = (parts: TokenParts, secret: string | Buffer) => {
    const input = signingInput({ ...parts, header: { ...parts.header, alg: 'HS256' } });
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const publicJwk = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });
  const changed = ({ parts, key }: Forge, changes: object) =>
    signParts({ ...parts, payload: { ...parts.payload, ...changes } }, key);
  const without = ({ parts, key }: Forge, claim: string) => {
    const { [claim]: _gone, ...payload } = parts.payload;
    return signParts({ ...parts, payload }, key);
  };
  const withHeader = ({ parts, key }: Forge, changes: object) =>
    signParts({ ...parts, header: { ...parts.header, ...changes } }, key);

  test('is accepted if it is taken apart and put together unchanged', async () => {
    const { parts, key } = await takeApart();
    expect(await statusWith(signParts(parts, key))).toBe(200);
  });

  test.each<[string, (forge: Forge) => string]>([
    [
      'with alg none and no signature',
      ({ parts }) => `${signingInput({ ...parts, header: { ...parts.header, alg: 'none' } })}.`,
    ],
    ['with alg none and its signature', (forge) => withHeader(forge, { alg: 'none' })],
    ['with alg nOnE', (forge) => withHeader(forge, { alg: 'nOnE' })],
    [
      'signed by HMAC with the public key, raw',
      ({ parts, key }) => hmac(parts, Buffer.from(publicJwk(key).x ?? '', 'base64url')),
    ],
    [
      'signed by HMAC with the public key, in base64url',
      ({ parts, key }) => hmac(parts, publicJwk(key).x ?? ''),
    ],
    [
      'signed by HMAC with the public key, as PEM',
      ({ parts, key }) =>
        hmac(parts, createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()),
    ],
    ['signed by HMAC with nothing', ({ parts }) => hmac(parts, '')],
    ['for another audience', (forge) => changed(forge, { aud: 'urn:another:api' })],
    ['of another issuer', (forge) => changed(forge, { iss: 'urn:another' })],
    ['that has expired', (forge) => changed(forge, { exp: Math.floor(service.now() / 1_000) })],
    ['that is not yet issued', (forge) => changed(forge, { iat: Math.floor(service.now() / 1_000) + 60 })],
    ['without exp', (forge) => without(forge, 'exp')],
    ['without iat', (forge) => without(forge, 'iat')],
    ['without aud', (forge) => without(forge, 'aud')],
    ['without iss', (forge) => without(forge, 'iss')],
    ['without sub', (forge) => without(forge, 'sub')],
    ['without jti', (forge) => without(forge, 'jti')],
    [
      'of another auth epoch',
      ({ parts, ...forge }) => changed({ parts, ...forge }, { aep: Number(parts.payload.aep) + 1 }),
    ],
    [
      'whose claims were changed after it was signed',
      ({ parts, token }) => {
        const { id: sub } = service.tenants.users.system;
        return `${encodePart(parts.header)}.${encodePart({ ...parts.payload, sub })}.${token.split('.')[2]}`;
      },
    ],
    ['with an unknown key id', (forge) => withHeader(forge, { kid: 'another' })],
    ['that brings its key along', (forge) => withHeader(forge, { jwk: publicJwk(forge.key) })],
    ['whose type is not that of an access token', (forge) => withHeader(forge, { typ: 'JWT' })],
  ])('%s is refused', async (_what, forge) => {
    const token = forge(await takeApart());
    const answer = await service.ask('GET', FILTERS, undefined, token);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'unauthenticated'],
      'Bearer error="invalid_token"',
    ]);
  });

  test('with fresh MFA no longer counts as verified once the factor is replaced', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    const create = () => service.ask('POST', `${AUTH}/api-keys`, { name: 'x' }, accessToken);
    expect((await create()).status).toBe(201);
    await service.probe.changeUser(enrolled.user.id, { newMfaEpoch: true });
    await until(async () => (await create()).status === 401);
    expect(refusalOf(await create())).toStrictEqual([401, 'mfa_required']);
  });

  test.each<[string, UserChange]>([
    ['is disabled', { status: 'disabled' }],
    ['is deleted', { status: 'deleted' }],
    ['has changed the password', { newAuthEpoch: true }],
  ])('of a user who %s stops working', async (_what, change) => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    expect(await statusWith(accessToken)).toBe(200);
    await service.probe.changeUser(user.id, change);
    await until(async () => (await statusWith(accessToken)) === 401);
  });

  test('loses permissions when its user is demoted', async () => {
    const user = await service.addUser({ permissions: ['users:write'], isPlatformAdmin: true });
    const { accessToken } = await service.signIn(user);
    await service.probe.changeUser(user.id, { permissions: [], isPlatformAdmin: false });
    const me = () => service.ask('GET', `${AUTH}/me`, undefined, accessToken);
    await until(async () => (await me()).text.includes('"permissions":[]'));
    expect((await me()).body).toMatchObject({ permissions: [], isPlatformAdmin: false });
  });

  test('together with an API key is refused as ambiguous', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    const answer = await service.as('key-A')('GET', `${AUTH}/me`, undefined, {
      Authorization: `Bearer ${accessToken}`,
    });
    expect(refusalOf(answer)).toStrictEqual([400, 'ambiguous_credentials']);
  });
});

describe('an API key', () => {
  test.each([
    ['POST', `${AUTH}/mfa/enroll`, undefined],
    ['POST', `${AUTH}/mfa/enroll/confirm`, { code: '123456' }],
    ['POST', `${AUTH}/mfa/challenge`, { code: '123456' }],
    ['POST', `${AUTH}/api-keys`, { name: 'another' }],
  ])('cannot pass MFA: %s %s', async (method, path, body) => {
    expect(refusalOf(await service.as('key-system')(method, path, body))).toStrictEqual([
      403,
      'mfa_not_possible',
    ]);
  });

  test('cannot pass MFA even if its user has a factor', async () => {
    const { user } = await service.addEnrolledUser();
    const key = anApiKey({ userId: user.id });
    await loadFleet(service.composition.backend, [key]);
    const answer = await service.as('none')(
      'POST',
      `${AUTH}/api-keys`,
      { name: 'x' },
      { 'X-API-Key': key.key },
    );
    expect(refusalOf(answer)).toStrictEqual([403, 'mfa_not_possible']);
  });

  test('cannot revoke keys', async () => {
    const { 'key-A': key } = service.tenants.keys;
    expect(refusalOf(await service.as('key-A')('DELETE', `${AUTH}/api-keys/${key.id}`))).toStrictEqual([
      403,
      'forbidden',
    ]);
  });
});

describe('at the same moment', () => {
  const ROUNDS = 100;
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

  test('exactly one of two requests with the same code signs in', async () => {
    const { user, totpSecret } = await service.addEnrolledUser();
    const { email, password } = user;
    for (let round = 0; round < ROUNDS; round++) {
      // Fewer than twenty losing codes must come in a day.
      service.pass(5_000);
      const code = service.nextCode(totpSecret);
      const attempt = () => service.ask('POST', `${AUTH}/login`, { email, password, code });
      expect([round, ...statuses(await Promise.all([attempt(), attempt()]))]).toStrictEqual([
        round,
        200,
        401,
      ]);
    }
  });

  test('exactly one of two uses of a refresh token gets the next, and a suspected theft ends the session', async () => {
    const user = await service.addUser();
    let { refreshToken } = await service.signIn(user);
    let ended = 0;
    for (let round = 0; round < ROUNDS; round++) {
      service.pass(60);
      const use = () => service.ask('POST', `${AUTH}/refresh`, { refreshToken });
      const answers = await Promise.all([use(), use()]);
      expect([round, ...statuses(answers)]).toStrictEqual([round, 200, 401]);
      const winner = answers.find(({ status }) => status === 200)?.body as Tokens;
      const next = await service.ask('POST', `${AUTH}/refresh`, { refreshToken: winner.refreshToken });
      if (next.status !== 200) ended += 1;
      ({ refreshToken } = next.status === 200 ? (next.body as Tokens) : await service.signIn(user));
    }
    const thefts = (await service.probe.auditEntries()).filter(
      ({ resourceId, details }) => resourceId === user.id && details.reason === 'refresh_token_reused',
    );
    expect(thefts).toHaveLength(ended);
  });

  test('exactly one of two requests with the same recovery code signs in', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const { password } = user;
    const offer = await service.ask('POST', `${AUTH}/mfa/enroll`, { password }, accessToken);
    const code = service.nextCode((offer.body as { secret: string }).secret);
    const confirmed = await service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
    for (const recoveryCode of (confirmed.body as { recoveryCodes: string[] }).recoveryCodes) {
      service.pass(300);
      const { email } = user;
      const attempt = () => service.ask('POST', `${AUTH}/login`, { email, password, code: recoveryCode });
      expect(statuses(await Promise.all([attempt(), attempt()]))).toStrictEqual([200, 401]);
    }
  });

  test('exactly one of two confirmations of a factor succeeds', async () => {
    const user = await service.addUser();
    const { accessToken } = await service.signIn(user);
    const { password } = user;
    const offer = await service.ask('POST', `${AUTH}/mfa/enroll`, { password }, accessToken);
    const code = service.nextCode((offer.body as { secret: string }).secret);
    const confirm = () => service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('only five of ten wrong codes are checked', async () => {
    const { user } = await service.addEnrolledUser();
    const { email, password } = user;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        service.ask('POST', `${AUTH}/login`, { email, password, code: `wrong ${i}` }),
      ),
    );
    expect(statuses(answers)).toStrictEqual([...Array(5).fill(401), ...Array(5).fill(429)]);
  });
});

describe('the audit log', () => {
  /** The audit entries that `select` accepts, oldest first. */
  const entriesWhere = async (select: (entry: AuditEntry) => boolean) =>
    (await service.probe.auditEntries()).filter(select);

  test('has every attempt to sign in, with the user and the reason of a denial', async () => {
    const { orgIds } = service.tenants;
    const { user, totpSecret } = await service.addEnrolledUser({
      membership: { scope: 'organization', orgId: orgIds.A },
    });
    const attempt = (body: object) =>
      service.askFrom(
        '192.0.2.9',
        `${AUTH}/login`,
        { email: user.email, ...body },
        { 'X-Forwarded-For': '203.0.113.9' },
      );
    await attempt({ password: 'wrong' });
    await attempt({ password: user.password });
    await attempt({ password: user.password, code: 'no code' });
    await attempt({ password: user.password, code: service.nextCode(totpSecret) });
    const common = {
      actor: { type: 'user', id: user.id },
      orgId: orgIds.A,
      resourceType: 'user',
      ip: '192.0.2.9',
    };
    const denied = (reason: string) => ({
      ...common,
      action: 'auth.login',
      result: 'denied',
      details: { reason },
    });
    expect(await entriesWhere(({ resourceId }) => resourceId === user.id)).toStrictEqual(
      [
        denied('invalid_credentials'),
        denied('invalid_mfa_code'),
        { ...common, action: 'auth.login', result: 'success', details: {} },
      ].map((entry) => expect.objectContaining(entry)),
    );
  });

  test('has an attempt with an unknown email, without the email', async () => {
    const answer = await service.ask('POST', `${AUTH}/login`, { email: 'hunter2-typed-here', password: 'x' });
    const entries = await entriesWhere(({ requestId }) => requestId === answer.headers.get('x-request-id'));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actor: { type: 'system', id: null },
      orgId: null,
      resourceId: null,
      result: 'denied',
      details: { reason: 'invalid_credentials' },
    });
    expect(entries[0]?.details).toStrictEqual({ reason: 'invalid_credentials' });
  });

  test('has actions on MFA and API keys, denied ones included', async () => {
    const user = await service.addUser();
    const { accessToken, refreshToken } = await service.signIn(user);
    const ask = (method: string, path: string, body?: object, token = accessToken) =>
      service.ask(method, `${AUTH}${path}`, body, token);
    await ask('POST', '/mfa/enroll', { password: 'wrong' });
    const offer = await ask('POST', '/mfa/enroll', { password: user.password });
    const { secret } = offer.body as { secret: string };
    await ask('POST', '/mfa/enroll/confirm', { code: '000000' });
    await ask('POST', '/mfa/enroll/confirm', { code: service.nextCode(secret) });
    await ask('POST', '/mfa/challenge', { code: 'no code' });
    await ask('POST', '/mfa/challenge', { code: service.nextCode(secret) });
    service.pass(901);
    const stale = (await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).body as Tokens;
    await ask('POST', '/api-keys', { name: 'x' }, stale.accessToken);
    const code = service.nextCode(secret);
    const stepped = (await ask('POST', '/mfa/challenge', { code }, stale.accessToken)).body as Tokens;
    const created = await ask('POST', '/api-keys', { name: 'x' }, stepped.accessToken);
    const { id } = created.body as { id: string };
    await ask('DELETE', `/api-keys/${id}`, undefined, stepped.accessToken);
    await ask('DELETE', `/api-keys/${id}`, undefined, stepped.accessToken);
    const entries = await entriesWhere(({ actor }) => actor.id === user.id);
    const told = entries.map(({ resourceType, action, result, details: { reason } }) =>
      [`${resourceType}: ${action} ${result}`, reason].filter((part) => part !== undefined).join(' '),
    );
    expect(told).toStrictEqual([
      'user: auth.login success',
      'user: auth.mfa.enrolled denied invalid_password',
      'user: auth.mfa.enrolled denied invalid_mfa_code',
      'user: auth.mfa.enrolled success',
      'user: auth.mfa.challenge denied invalid_mfa_code',
      'user: auth.mfa.challenge success',
      'api_key: auth.api_key.created denied mfa_required',
      'user: auth.mfa.challenge success',
      'api_key: auth.api_key.created success',
      'api_key: auth.api_key.revoked success',
      'api_key: auth.api_key.revoked denied not_found',
    ]);
  });
});

/** An attacker who reads the whole database finds no credential that can be used (Contract: §2). */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { type Answer, databaseOf } from '#test/api/service/service.ts';
import { anIdentityProvider, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';
import { answerResets, takeMails, tokenIn } from './take-mails.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService(makeArgon2PasswordHasher({ maxConcurrent: 2 }));
});

afterAll(() => service.close());

test('only the hash of an API key is stored', async () => {
  const { rows } = await databaseOf(service).owner.query<{ row: string }>(
    'select row_to_json(k)::text as row from api_key k',
  );
  const keys = Object.values(service.tenants.keys).map(({ key }) => key);
  expect(rows.length).toBe(keys.length);
  expect(rows.filter(({ row }) => keys.some((key) => row.includes(key)))).toStrictEqual([]);
});

/** The tokens of a browser's cookie: the first, its replacement, and the one that is valid now. */
async function refreshCookies({ email, password }: UserRecord): Promise<readonly string[]> {
  const send = (path: string, body: object | undefined, cookie: string) =>
    service.as('none')('POST', `${AUTH}/session${path}`, body, { Cookie: cookie });
  const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
  const first = cookieOf(await send('', { email, password }, ''));
  const second = cookieOf(await send('/refresh', undefined, first));
  const third = cookieOf(await send('/refresh', undefined, second));
  return [first, second, third].map((cookie) => cookie.split('=')[1] ?? '');
}

test('no table holds a password, token, code or secret in the clear', async () => {
  const user: UserRecord = await service.addUser({ password: 'a password to look for' });
  const cookies = await refreshCookies(user);
  const { accessToken, refreshToken } = await service.signIn(user);
  const enroll = (token: string) =>
    service.ask('POST', `${AUTH}/mfa/enroll`, { password: user.password }, token);
  const offer = await enroll(accessToken);
  const { secret } = offer.body as { secret: string };
  const code = service.nextCode(secret);
  const confirmed = await service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  // A second enrollment is begun and left.
  const tokens = (await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).body as Tokens;
  const again = await enroll(tokens.accessToken);
  const created = await service.ask('POST', `${AUTH}/api-keys`, { name: 'x' }, tokens.accessToken);
  const { key } = created.body as { key: string };
  const newPassword = 'another password to look for';
  const passwords = { currentPassword: user.password, newPassword };
  const changed = await service.ask('POST', `${AUTH}/password`, passwords, tokens.accessToken);
  expect(changed.status).toBe(204);
  const secrets = [
    user.password,
    newPassword,
    ...cookies,
    accessToken,
    refreshToken,
    tokens.refreshToken,
    tokens.accessToken,
    secret,
    (again.body as { secret: string }).secret,
    key,
    ...recoveryCodes,
  ];
  expect(secrets).toHaveLength(22);
  expect(await findInTables(secrets)).toStrictEqual([]);
  // The code has only six digits, which may occur anywhere by chance; it is not stored at all.
  expect(currentTotpCode(secret, service.now())).toBe(code);
});

test('a link is stored as a digest; the queued mail holds it sealed, and loses it once it is sent', async () => {
  const { userId } = await createTenant(service.composition.backend);
  const person = await service.composition.backend.peopleReader.find(SYSTEM_SCOPE, userId);
  await service.ask('POST', `${AUTH}/password-reset`, { email: person?.email });
  await answerResets(service.composition);
  const secretOf = async () => {
    const { rows } = await databaseOf(service).owner.query<{ secret: unknown; status: string }>(
      `select status, secret from mail_outbox where kind = 'password-reset-link'`,
    );
    return rows.map(({ status, secret }) => [status, secret !== null]);
  };
  expect(await secretOf()).toStrictEqual([['queued', true]]);
  const waiting = await findInTables(['fsl_']);
  const token = tokenIn(
    (await takeMails(service.composition)).find(({ kind }) => kind === 'password-reset-link'),
    'reset-password',
  );
  expect(await secretOf()).toStrictEqual([['sent', false]]);
  const digest = createHash('sha256').update(token).digest('hex');
  expect(await findInTables([token, token.slice(4), digest])).toStrictEqual([`account_link: ${digest}`]);
  expect(waiting).toStrictEqual([]);
});

test("a provider's client secret is stored sealed, when it is added and when it is replaced", async () => {
  const { orgId } = await createTenant(service.composition.backend);
  const provider = anIdentityProvider({ owner: { kind: 'organization', orgId } });
  const clear = ['a client secret to look for', 'a later one to look for'];
  for (const [i, secret] of clear.entries()) {
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, ({ identityProviders }) =>
      i === 0 ? identityProviders.add(provider, secret) : identityProviders.replace(provider, secret),
    );
    const found = await service.composition.backend.identityProviderReader.findForSignIn({ id: provider.id });
    expect(found?.clientSecret).toBe(secret);
    expect(await findInTables(clear)).toStrictEqual([]);
  }
});

/** The texts that are found in each table. */
async function findInTables(texts: readonly string[]): Promise<readonly string[]> {
  const { rows: tables } = await databaseOf(service).owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await databaseOf(service).owner.query<{ row: string }>(
      `select t::text as row from ${name} t`,
    );
    for (const { row } of rows) {
      found.push(...texts.filter((text) => row.includes(text)).map((text) => `${name}: ${text}`));
    }
  }
  return found;
}

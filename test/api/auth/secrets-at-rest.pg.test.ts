/** What an attacker who reads the whole database finds of credentials: nothing that can be used (Contract: §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { databaseOf } from '#test/api/service/service.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

test('of a key only the hash is stored', async () => {
  const { rows } = await databaseOf(service).owner.query<{ row: string }>(
    'select row_to_json(k)::text as row from api_key k',
  );
  const keys = Object.values(service.tenants.keys).map(({ key }) => key);
  expect(rows.length).toBe(keys.length);
  expect(rows.filter(({ row }) => keys.some((key) => row.includes(key)))).toStrictEqual([]);
});

test('in no table is a password, token, code or secret as it is', async () => {
  const user: UserRecord = await service.addUser({ password: 'a password to look for' });
  const { accessToken, refreshToken } = await service.signIn(user);
  const enroll = (token: string) =>
    service.ask('POST', `${AUTH}/mfa/enroll`, { password: user.password }, token);
  const offer = await enroll(accessToken);
  const { secret } = offer.body as { secret: string };
  const code = service.nextCode(secret);
  const confirmed = await service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  // One that is under way, too.
  const tokens = (await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).body as Tokens;
  const again = await enroll(tokens.accessToken);
  const created = await service.ask('POST', `${AUTH}/api-keys`, { name: 'x' }, tokens.accessToken);
  const { key } = created.body as { key: string };
  const secrets = [
    user.password,
    accessToken,
    refreshToken,
    tokens.refreshToken,
    tokens.accessToken,
    secret,
    (again.body as { secret: string }).secret,
    key,
    ...recoveryCodes,
  ];
  const { rows: tables } = await databaseOf(service).owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await databaseOf(service).owner.query<{ row: string }>(
      `select t::text as row from ${name} t`,
    );
    for (const { row } of rows) {
      found.push(...secrets.filter((one) => row.includes(one)).map((one) => `${name}: ${one}`));
    }
  }
  expect(secrets).toHaveLength(18);
  expect(tables.length).toBeGreaterThan(20);
  expect(found).toStrictEqual([]);
  // The code itself is but six digits, which may stand anywhere; it is not kept at all.
  expect(currentTotpCode(secret, service.now())).toBe(code);
});

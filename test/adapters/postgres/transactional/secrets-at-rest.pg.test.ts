/** Secrets at rest: sealed with the key that was given, or with the one that the database keeps. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { UnusableDatabaseError } from '#adapters/postgres/setup/unusable-database-error.ts';
import type { UserId } from '#domain/ids.ts';
import { aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { loadFleet } from '#test/support/tenant.ts';

const KEY = 'a key that is kept outside the database';
const SECRET = 'JBSWY3DPEHPK3PXP';

let database: FreshDatabase;

beforeEach(async () => {
  database = await createFreshDatabase(inject('databaseUrl'));
});

afterEach(() => database.drop());

async function withBackend<T>(
  secretKey: string | null,
  work: (backend: PostgresBackend) => Promise<T>,
): Promise<T> {
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: database.url, secretKey });
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

async function addEnrolled(backend: PostgresBackend): Promise<UserId> {
  const user = aUser({ totpSecret: SECRET });
  await loadFleet(backend, [user]);
  await backend.signingKeys.add({ kid: newId(), privateJwk: { d: 'secret' }, createdAt: SOME_INSTANT }, 0);
  return user.id;
}

const secretOf = async (backend: PostgresBackend, userId: UserId) =>
  (await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.findFactor(userId)))?.secret;

test('a key that is given later opens what was sealed before it, and seals what comes', async () => {
  const before = await withBackend(null, addEnrolled);
  const after = await withBackend(KEY, async (backend) => {
    expect(await secretOf(backend, before)).toBe(SECRET);
    return addEnrolled(backend);
  });
  expect(await withBackend(KEY, (backend) => secretOf(backend, after))).toBe(SECRET);
});

test.each([
  ['no key', null],
  ['another key', 'another key, and not the one of before'],
])('the start with %s says what is wrong', async (_what, secretKey) => {
  await withBackend(KEY, addEnrolled);
  const start = withBackend(secretKey, async () => undefined);
  await expect(start).rejects.toThrow(UnusableDatabaseError);
  await expect(start).rejects.toThrow(/SECRET_KEY/);
});

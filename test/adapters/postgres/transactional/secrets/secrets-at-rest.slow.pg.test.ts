/** Secrets at rest: sealed with the operator's key or the database's, and moved between keys. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import type { UserId } from '#domain/ids.ts';
import {
  anAuditEntry,
  aSavedFilter,
  aSubscription,
  aUser,
  newId,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const KEY = 'a key that is kept outside the database';
const NEXT_KEY = 'another key, and not the one of before';
const SECRET = 'JBSWY3DPEHPK3PXP';

interface Keys {
  readonly secretKey: string | null;
  readonly previousSecretKey?: string;
  readonly allowsLostKeys?: boolean;
}

let database: FreshDatabase;

beforeEach(async () => {
  database = await createFreshDatabase(inject('databaseUrl'));
});

afterEach(() => database.drop());

async function withBackend<T>(keys: Keys, work: (backend: PostgresBackend) => Promise<T>): Promise<T> {
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: database.url, ...keys });
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

const start = (keys: Keys) => withBackend(keys, async () => undefined);

async function query<R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  try {
    return (await owner.query<R>(sql, [...values])).rows;
  } finally {
    await owner.end();
  }
}

async function addEnrolled(backend: PostgresBackend): Promise<UserId> {
  const user = aUser({ totpSecret: SECRET });
  await loadFleet(backend, [user]);
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.mfa.startEnrollment(user.id, { secret: SECRET, startedAt: SOME_INSTANT }),
  );
  await backend.signingKeys.add({ kid: newId(), privateJwk: { d: 'secret' }, createdAt: SOME_INSTANT }, 0);
  return user.id;
}

const secretOf = async (backend: PostgresBackend, userId: UserId) =>
  (await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.findFactor(userId)))?.secret;

const reseal = ({ resealSecrets }: PostgresBackend) =>
  resealSecrets({
    makeEntry: () => anAuditEntry({ action: 'secrets.resealed' }),
    onProgress: () => undefined,
  });

const keyIdOf = (key: string) => makeSecretBox(key).keyId;

/** The ids of keys in use; `v1` for boxes without a key id. */
async function keysInUse(): Promise<readonly string[]> {
  const rows = await query<{ sealed: string }>(
    `select totp_secret as sealed from app_user where totp_secret is not null
     union all select totp_secret from mfa_enrollment union all select private_jwk from signing_key`,
  );
  return [
    ...new Set(rows.map(({ sealed }) => (sealed.startsWith('v1.') ? 'v1' : (sealed.split('.')[1] ?? '')))),
  ];
}

/** Seals without key id and place, like the first version. */
function sealAsBefore(key: string, plain: string): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'fleetsift secret box', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derived, nonce);
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
}

/** A database of the first version: boxes without key id, and no canary. */
async function makeFormer(key: string): Promise<UserId> {
  const userId = await withBackend({ secretKey: key }, addEnrolled);
  await query('update app_user set totp_secret = $1 where totp_secret is not null', [
    sealAsBefore(key, SECRET),
  ]);
  await query('update mfa_enrollment set totp_secret = $1', [sealAsBefore(key, SECRET)]);
  await query('update signing_key set private_jwk = $1', [sealAsBefore(key, '{"d":"secret"}')]);
  await query('delete from sealing_key');
  return userId;
}

test('a key that is set later opens older secrets, and seals new ones', async () => {
  const before = await withBackend({ secretKey: null }, addEnrolled);
  const after = await withBackend({ secretKey: KEY }, async (backend) => {
    expect(await secretOf(backend, before)).toBe(SECRET);
    return addEnrolled(backend);
  });
  expect(await withBackend({ secretKey: KEY }, (backend) => secretOf(backend, after))).toBe(SECRET);
});

describe('the start is refused and the error names SECRET_KEY', () => {
  test.each([
    ['without the key', { secretKey: null }],
    ['with another key', { secretKey: NEXT_KEY }],
    ['with another key and a third one', { secretKey: NEXT_KEY, previousSecretKey: 'x'.repeat(32) }],
  ])('%s, even before anybody has enrolled', async (_what, keys) => {
    await start({ secretKey: KEY });
    await expect(start(keys)).rejects.toThrow(UnusableDatabaseError);
    await expect(start(keys)).rejects.toThrow(/^SECRET_KEY is not /);
    await expect(start(keys)).rejects.toThrow(keyIdOf(KEY));
  });

  test('if only a second factor needs another key, and no signing key does', async () => {
    await makeFormer(KEY);
    await query('delete from signing_key');
    await expect(start({ secretKey: NEXT_KEY })).rejects.toThrow(/^SECRET_KEY is not /);
    await start({ secretKey: KEY });
  });

  test('while secrets are sealed with a former key that is no longer set', async () => {
    await withBackend({ secretKey: KEY }, addEnrolled);
    await start({ secretKey: NEXT_KEY, previousSecretKey: KEY });
    await expect(start({ secretKey: NEXT_KEY })).rejects.toThrow(/SECRET_KEY_PREVIOUS/);
  });
});

test('the start asks for an old key with which a running instance sealed something after the reseal', async () => {
  const keys = { secretKey: NEXT_KEY, previousSecretKey: KEY };
  await withBackend({ secretKey: KEY }, async (leftRunning) => {
    await addEnrolled(leftRunning);
    await withBackend(keys, reseal);
    await start({ secretKey: NEXT_KEY });
    await addEnrolled(leftRunning);
  });
  await expect(start({ secretKey: NEXT_KEY })).rejects.toThrow(keyIdOf(KEY));
  await withBackend(keys, reseal);
  await start({ secretKey: NEXT_KEY });
});

test('an instance that lacks a key names the key, and says what to do', async () => {
  await withBackend({ secretKey: KEY }, async (leftRunning) => {
    const userId = await withBackend({ secretKey: NEXT_KEY, previousSecretKey: KEY }, addEnrolled);
    const opening = secretOf(leftRunning, userId);
    await expect(opening).rejects.toThrow(keyIdOf(NEXT_KEY));
    await expect(opening).rejects.toThrow(/restart it with that key/);
  });
});

test('SECRET_KEY_PREVIOUS opens secrets, but seals none', async () => {
  const before = await withBackend({ secretKey: KEY }, addEnrolled);
  await withBackend({ secretKey: NEXT_KEY, previousSecretKey: KEY }, async (backend) => {
    expect(await secretOf(backend, before)).toBe(SECRET);
    expect(await keysInUse()).toStrictEqual([keyIdOf(KEY)]);
    await addEnrolled(backend);
  });
  expect((await keysInUse()).toSorted()).toStrictEqual([keyIdOf(KEY), keyIdOf(NEXT_KEY)].toSorted());
});

test('boxes of the former version are read, and sealed anew when next written', async () => {
  const userId = await makeFormer(KEY);
  await withBackend({ secretKey: KEY }, async (backend) => {
    expect(await secretOf(backend, userId)).toBe(SECRET);
    expect(await backend.signingKeys.list()).toMatchObject([{ privateJwk: { d: 'secret' } }]);
    expect(await keysInUse()).toStrictEqual(['v1']);
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.mfa.completeEnrollment(userId, { secret: SECRET, step: 1, recoveryCodeSha256s: [] }),
    );
  });
  const [row] = await query<{ sealed: string }>('select totp_secret as sealed from app_user where id = $1', [
    userId,
  ]);
  expect(row?.sealed).toContain(`v2.${keyIdOf(KEY)}.`);
});

test('the second factor of one person does not open in the row of another', async () => {
  await withBackend({ secretKey: KEY }, async (backend) => {
    const [victim, thief] = [await addEnrolled(backend), await addEnrolled(backend)];
    await query(
      'update app_user set totp_secret = (select totp_secret from app_user where id = $1) where id = $2',
      [thief, victim],
    );
    await expect(secretOf(backend, victim)).rejects.toThrow(UnusableDatabaseError);
    expect(await secretOf(backend, thief)).toBe(SECRET);
  });
});

describe('resealing', () => {
  const MOVED = { secretKey: NEXT_KEY, previousSecretKey: KEY };

  test('moves everything to SECRET_KEY, so that the former key can be removed', async () => {
    const userId = await withBackend({ secretKey: KEY }, async (backend) => {
      await addEnrolled(backend);
      return addEnrolled(backend);
    });
    // There is one signing key.
    expect(await withBackend(MOVED, reseal)).toStrictEqual({ resealed: 5, unreadable: 0 });
    expect(await keysInUse()).toStrictEqual([keyIdOf(NEXT_KEY)]);
    await withBackend({ secretKey: NEXT_KEY }, async (backend) => {
      expect(await secretOf(backend, userId)).toBe(SECRET);
      expect(await backend.signingKeys.list()).toHaveLength(1);
    });
  });

  test.each([
    ['boxes of the former version', () => makeFormer(KEY), { secretKey: KEY }],
    [
      "secrets sealed with the database's own key",
      () => withBackend({ secretKey: null }, addEnrolled),
      { secretKey: KEY },
    ],
  ])('moves %s', async (_what, prepare, keys) => {
    await prepare();
    expect(await withBackend(keys, reseal)).toStrictEqual({ resealed: 3, unreadable: 0 });
    expect(await keysInUse()).toStrictEqual([keyIdOf(KEY)]);
  });

  test('moves both secrets of a webhook, which then sign as before', async () => {
    const secrets = ['whsec_plJ3nmyCDGBKInavdOK15jsl', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    const id = await withBackend({ secretKey: KEY }, async (backend) => {
      const { orgId, userId } = await createTenant(backend);
      const filter = aSavedFilter({ orgId, createdBy: userId });
      const hook = aSubscription({
        orgId,
        filterId: filter.id,
        kind: 'webhook',
        url: 'https://hooks.example',
      });
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.filters.add(filter);
        await tx.subscriptions.add(hook);
        for (const secret of secrets.toReversed())
          await tx.webhooks.setSecret(hook.id, secret, SOME_INSTANT + 1);
      });
      return hook.id;
    });
    expect(await withBackend(MOVED, reseal)).toStrictEqual({ resealed: 2, unreadable: 0 });
    await withBackend({ secretKey: NEXT_KEY }, async (backend) => {
      const signing = await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.webhooks.secrets(id, SOME_INSTANT));
      expect(signing).toStrictEqual(secrets);
    });
  });

  test('is audited once, and only if something was moved', async () => {
    await withBackend({ secretKey: KEY }, addEnrolled);
    await withBackend(MOVED, reseal);
    expect(await withBackend(MOVED, reseal)).toStrictEqual({ resealed: 0, unreadable: 0 });
    expect(
      await query('select actor_type, details from audit_log where action = $1', ['secrets.resealed']),
    ).toHaveLength(1);
  });

  test('loses nothing if many secrets are resealed twice at once while people enroll', async () => {
    const userIds = await withBackend({ secretKey: KEY }, async (backend) => {
      const users = Array.from({ length: 250 }, () => aUser({ totpSecret: SECRET }));
      await loadFleet(backend, users);
      return users.map(({ id }) => id);
    });
    await withBackend(MOVED, async (backend) => {
      const enrol = (userId: UserId) =>
        backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
          tx.mfa.completeEnrollment(userId, { secret: 'NEW', step: 1, recoveryCodeSha256s: [] }),
        );
      const changed = userIds.filter((_, i) => i % 10 === 0);
      const [one, two] = await Promise.all([reseal(backend), reseal(backend), ...changed.map(enrol)]);
      expect([one.unreadable, two.unreadable]).toStrictEqual([0, 0]);
      const secrets = await Promise.all(userIds.map((userId) => secretOf(backend, userId)));
      expect(secrets).toStrictEqual(userIds.map((_, i) => (i % 10 === 0 ? 'NEW' : SECRET)));
    });
    expect(await keysInUse()).toStrictEqual([keyIdOf(NEXT_KEY)]);
    await start({ secretKey: NEXT_KEY });
  });

  test('discards secrets of a lost key if told to, and the service starts again', async () => {
    const lost = await withBackend({ secretKey: KEY }, addEnrolled);
    const withoutIt = { secretKey: NEXT_KEY };
    await expect(start(withoutIt)).rejects.toThrow(/secrets reseal --help/);
    const makeEntry = () => anAuditEntry({ action: 'secrets.resealed' });
    const discarding = { makeEntry, discardsUnreadable: true, onProgress: () => undefined };
    await withBackend({ ...withoutIt, allowsLostKeys: true }, async ({ resealSecrets }) => {
      expect(await resealSecrets(discarding)).toStrictEqual({ resealed: 0, unreadable: 3 });
    });
    expect(await keysInUse()).toStrictEqual([]);
    expect(await query('select 1 from audit_log where action = $1', ['secrets.resealed'])).toHaveLength(1);
    await withBackend(withoutIt, async (backend) => {
      expect(await secretOf(backend, lost)).toBeUndefined();
      const enrolled = await addEnrolled(backend);
      expect(await secretOf(backend, enrolled)).toBe(SECRET);
    });
  });

  test('leaves and counts secrets that no known key opens, and the start still asks for their key', async () => {
    const userId = await withBackend({ secretKey: KEY }, addEnrolled);
    const lost = makeSecretBox('a key that nobody has any more, sadly');
    const place = { table: 'app_user', row: userId, column: 'totp_secret' };
    await query('update app_user set totp_secret = $1 where id = $2', [lost.seal(SECRET, place), userId]);
    const allowing = { ...MOVED, allowsLostKeys: true };
    expect(await withBackend(allowing, reseal)).toStrictEqual({ resealed: 2, unreadable: 1 });
    await expect(start({ secretKey: NEXT_KEY })).rejects.toThrow(/SECRET_KEY_PREVIOUS/);
  });
});

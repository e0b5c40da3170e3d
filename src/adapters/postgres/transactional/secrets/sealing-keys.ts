/** Each key in use has a canary, a text sealed with it, so a missing key shows at the start instead of at a sign-in. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { SealingKeyRow } from '#adapters/postgres/transactional/entities/key-rows.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { IdentityProviderId, MailId, SubscriptionId, UserId } from '#domain/ids.ts';
import { keyIdOf, type SecretBox, type SecretPlace, type SecretsAtRest } from './secrets-at-rest.ts';

export const SEALED_COLUMNS = [
  { table: 'signing_key', key: 'kid', column: 'private_jwk' },
  { table: 'app_user', key: 'id', column: 'totp_secret' },
  { table: 'mfa_enrollment', key: 'user_id', column: 'totp_secret' },
  { table: 'mail_outbox', key: 'id', column: 'secret' },
  { table: 'identity_provider', key: 'id', column: 'client_secret' },
  { table: 'subscription', key: 'id', column: 'secret' },
  { table: 'subscription', key: 'id', column: 'former_secret' },
] as const;

export function factorPlace(userId: UserId): SecretPlace {
  return { table: 'app_user', row: userId.toLowerCase(), column: 'totp_secret' };
}

export function enrollmentPlace(userId: UserId): SecretPlace {
  return { table: 'mfa_enrollment', row: userId.toLowerCase(), column: 'totp_secret' };
}

/** Where the token of a link in the mail is stored. */
export function mailPlace(id: MailId): SecretPlace {
  return { table: 'mail_outbox', row: id.toLowerCase(), column: 'secret' };
}

export function clientSecretPlace(id: IdentityProviderId): SecretPlace {
  return { table: 'identity_provider', row: id.toLowerCase(), column: 'client_secret' };
}

export function webhookSecretPlace(id: SubscriptionId): SecretPlace {
  return { table: 'subscription', row: id.toLowerCase(), column: 'secret' };
}

export function formerSecretPlace(id: SubscriptionId): SecretPlace {
  return { table: 'subscription', row: id.toLowerCase(), column: 'former_secret' };
}

export function signingKeyPlace(kid: string): SecretPlace {
  return { table: 'signing_key', row: kid, column: 'private_jwk' };
}

const PAGE_SIZE = 1_000;

/**
 * Throws `UnusableDatabaseError` if secrets may be sealed with an unknown key. `hasSecretKey` selects the
 * message. The secrets are checked as well as the canaries, because an instance with a former key may still
 * seal after its canary is gone.
 */
export async function checkSealingKeys(
  orm: Orm,
  secrets: SecretsAtRest,
  hasSecretKey: boolean,
): Promise<void> {
  await orm.withScope(SYSTEM_SCOPE, async (em) => {
    const rows = await em.find(SealingKeyRow, {}, { orderBy: { keyId: 'asc' } });
    for (const { keyId, canary } of rows) {
      if (secrets.tryOpen(canary, canaryPlace(keyId)) === null) throw refusal(hasSecretKey, keyId);
    }
    const boxes = rows.length === 0 ? await boxesInUse(em, secrets, hasSecretKey) : [];
    const unknown = await findUnknownBox(em, secrets);
    if (unknown !== null) throw refusal(hasSecretKey, keyIdOf(unknown));
    for (const box of new Set([secrets.current, ...boxes])) await addCanary(em, box);
  });
}

export async function addCurrentKey(orm: Orm, { current }: SecretsAtRest): Promise<void> {
  await orm.withScope(SYSTEM_SCOPE, (em) => addCanary(em, current));
}

/** Returns a secret that is sealed with an unknown key, or null. Ignores secrets that name no key. */
async function findUnknownBox(em: EntityManager, { prefixes }: SecretsAtRest): Promise<string | null> {
  const isKnown = prefixes.map(() => 'starts_with(sealed, ?)').join(' or ');
  for (const { table, column } of SEALED_COLUMNS) {
    const [row] = await em.execute<{ sealed: string }[]>(
      `select sealed from (select ${column} as sealed from ${table}) boxes
       where starts_with(sealed, 'v2.') and not (${isKnown}) limit 1`,
      [...prefixes],
    );
    if (row !== undefined) return row.sealed;
  }
  return null;
}

export async function forgetUnusedKeys(em: EntityManager, secrets: SecretsAtRest): Promise<void> {
  for (const { table, column } of SEALED_COLUMNS) {
    const rest = await em.execute<unknown[]>(
      `select 1 from ${table} where ${column} is not null and not starts_with(${column}, ?) limit 1`,
      [secrets.current.prefix],
    );
    if (rest.length > 0) return;
  }
  await em.nativeDelete(SealingKeyRow, { keyId: { $ne: secrets.current.keyId } });
}

async function addCanary(em: EntityManager, { keyId, seal }: SecretBox): Promise<void> {
  await em.upsert(
    SealingKeyRow,
    { keyId, canary: seal('canary', canaryPlace(keyId)) },
    { onConflictAction: 'ignore' },
  );
}

function canaryPlace(keyId: string): SecretPlace {
  return { table: 'sealing_key', row: keyId, column: 'canary' };
}

async function boxesInUse(
  em: EntityManager,
  secrets: SecretsAtRest,
  hasSecretKey: boolean,
): Promise<ReadonlySet<SecretBox>> {
  const boxes = new Set<SecretBox>();
  for (const { table, key, column } of SEALED_COLUMNS) {
    let after: string | null = null;
    do {
      const rows: { row: string; sealed: string }[] = await em.execute(
        `select ${key}::text as row, ${column} as sealed from ${table}
         where ${column} is not null ${after === null ? '' : `and ${key} > ?`} order by ${key} limit ${PAGE_SIZE}`,
        after === null ? [] : [after],
      );
      for (const { row, sealed } of rows) {
        const opened = secrets.tryOpen(sealed, { table, row, column });
        if (opened === null) throw refusal(hasSecretKey, null);
        boxes.add(opened.box);
      }
      after = rows.length < PAGE_SIZE ? null : (rows.at(-1)?.row ?? null);
    } while (after !== null);
  }
  return boxes;
}

function refusal(hasSecretKey: boolean, keyId: string | null): UnusableDatabaseError {
  const which = keyId === null ? 'another key' : `another key (its id is ${keyId})`;
  return new UnusableDatabaseError(
    hasSecretKey
      ? `SECRET_KEY is not the key that the secrets in the database are sealed with: some are sealed with ${which}. Set SECRET_KEY to that key, or set SECRET_KEY_PREVIOUS to it and run: npm run fleetsift -- secrets reseal. ${WHERE_IT_IS_LOST}`
      : `SECRET_KEY is not set, but secrets in the database are sealed with ${which}. Set SECRET_KEY to that key. ${WHERE_IT_IS_LOST}`,
  );
}

const WHERE_IT_IS_LOST = 'If it is lost, see: npm run fleetsift -- secrets reseal --help';

import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import { OrganizationRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import {
  ApiKeyRow,
  EnrolmentKeyRow,
  SigningKeyRow,
  toApiKeySummary,
  toEnrolmentKey,
  toEnrolmentKeyRow,
} from '#adapters/postgres/transactional/entities/key-rows.ts';
import { FOR_UPDATE, inReach, type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import { signingKeyPlace } from '#adapters/postgres/transactional/secrets/sealing-keys.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { ApiKeyReader, ApiKeyWriter } from '#application/ports/auth/stores/api-key-store.ts';
import type {
  EnrolmentKeyReader,
  EnrolmentKeyWriter,
  FindEnrolmentKey,
} from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import { type AccessScope, canReach, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';

export function makeApiKeyReader(orm: Orm): ApiKeyReader {
  return {
    list: (userId, scope = SYSTEM_SCOPE) =>
      orm.withScope(scope, async (em) => {
        const where = { user: { id: userId, ...withinReach(scope) }, revokedAt: null };
        const rows = await em.find(ApiKeyRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toApiKeySummary);
      }),
  };
}

export function apiKeyWriter(em: EntityManager, digestSecret: DigestSecret): ApiKeyWriter {
  return {
    add: async (key, createdAt) => {
      em.create(ApiKeyRow, toApiKeyRow(key, digestSecret, new Date(createdAt)));
      await em.flush();
    },
    revoke: async (userId, id, at) => {
      const row = await em.findOne(ApiKeyRow, { id, user: userId, revokedAt: null }, FOR_UPDATE);
      if (row === null) return null;
      row.revokedAt = new Date(at);
      return { name: row.name };
    },
  };
}

export function toApiKeyRow(key: ApiKeyRecord, digestSecret: DigestSecret, createdAt: Date) {
  return {
    id: key.id,
    keySha256: digestSecret(key.key),
    user: key.userId,
    name: key.name,
    orgId: key.orgId,
    permissions: [...key.permissions],
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    revokedAt: null,
    createdAt,
  };
}

export function makeEnrolmentKeyReader(orm: Orm): EnrolmentKeyReader {
  return {
    list: (scope) =>
      orm.withScope(scope, async (em) => {
        const where = { ...inReach(scope), revokedAt: null };
        const rows = await em.find(EnrolmentKeyRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toEnrolmentKey);
      }),
  };
}

/** Runs in the system scope, because no tenant is known yet. */
export function makeFindEnrolmentKey(orm: Orm): FindEnrolmentKey {
  return (keySha256) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const row = await em.findOne(EnrolmentKeyRow, { keySha256, revokedAt: null });
      return row === null ? null : toEnrolmentKey(row);
    });
}

export function enrolmentKeyWriter(em: EntityManager, scope: AccessScope): EnrolmentKeyWriter {
  return {
    add: async (key) => {
      const { orgId, siteId } = key;
      const isThere = canReach(scope, orgId) && (await em.count(OrganizationRow, { id: orgId })) > 0;
      if (!isThere) return 'unknown-organization';
      if (siteId !== null) {
        // Raw SQL, because sites have no entity. A site never changes its organization.
        const sites = await em.execute<unknown[]>(SITE_OF_ORGANIZATION, [siteId, orgId]);
        if (sites.length === 0) return 'unknown-site';
      }
      em.create(EnrolmentKeyRow, toEnrolmentKeyRow(key));
      await em.flush();
      return null;
    },
    revoke: async (id, at) => {
      const one = { id, ...inReach(scope), revokedAt: null };
      const row = await em.findOne(EnrolmentKeyRow, one, FOR_UPDATE);
      if (row === null) return null;
      // The managed row is not changed, because its update would name the id but not the scope.
      await em.nativeUpdate(EnrolmentKeyRow, one, { revokedAt: new Date(at) });
      return toEnrolmentKey(row);
    },
  };
}

const SITE_OF_ORGANIZATION = 'select 1 from site where id = ? and org_id = ?';

const ROTATION_LOCK = lockNumber('signing-keys');

export function makeSigningKeyStore(
  orm: Orm,
  secrets: Pick<SecretsAtRest, 'seal' | 'open'>,
): SigningKeyStore {
  return {
    list: async () => {
      const rows = await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.find(SigningKeyRow, {}, { orderBy: { createdAt: 'desc', kid: 'desc' } }),
      );
      return rows.map(({ kid, privateJwk, createdAt }) => ({
        kid,
        privateJwk: JSON.parse(secrets.open(privateJwk, signingKeyPlace(kid))),
        createdAt: createdAt.getTime(),
      }));
    },
    add: (key, unlessSince) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        await em.execute('select pg_advisory_xact_lock(?)', [ROTATION_LOCK]);
        const newer = await em.count(SigningKeyRow, { createdAt: { $gte: new Date(unlessSince) } });
        if (newer > 0) return false;
        em.create(SigningKeyRow, {
          kid: key.kid,
          privateJwk: secrets.seal(JSON.stringify(key.privateJwk), signingKeyPlace(key.kid)),
          createdAt: new Date(key.createdAt),
        });
        return true;
      }),
    removeCreatedBefore: async (instant) => {
      await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.nativeDelete(SigningKeyRow, { createdAt: { $lt: new Date(instant) } }),
      );
    },
  };
}

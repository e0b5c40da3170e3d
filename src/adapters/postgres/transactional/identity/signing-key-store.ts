/** Signing keys, shared by all instances. */
import { SigningKeyRow } from '#adapters/postgres/transactional/entities/signing-key-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { signingKeyPlace } from '#adapters/postgres/transactional/secrets/sealed-places.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

/** Arbitrary; keeps two instances from adding a key at once. */
const ROTATION_LOCK = 7_317_002;

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
        // Raw: no row represents the decision to add a key.
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

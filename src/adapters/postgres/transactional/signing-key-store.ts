/** Signing keys on PostgreSQL, shared by every instance. */
import type { SigningKeyStore } from '#application/ports/auth/signing-key-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { SigningKeyRow } from './entities/signing-key-row.ts';
import type { Orm } from './orm.ts';

/** An arbitrary number: the advisory lock that keeps two instances from adding a key at once. */
const ROTATION_LOCK = 7_317_002;

export interface SecretBox {
  /** Encrypts and authenticates. */
  seal(secret: string): string;
  /** What was sealed; throws if it was tampered with or sealed with another key. */
  open(sealed: string): string;
}

export function makeSigningKeyStore(orm: Orm, box: SecretBox): SigningKeyStore {
  return {
    list: async () => {
      const rows = await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.find(SigningKeyRow, {}, { orderBy: { createdAt: 'desc', kid: 'desc' } }),
      );
      return rows.map(({ kid, privateJwk, createdAt }) => ({
        kid,
        privateJwk: JSON.parse(box.open(privateJwk)),
        createdAt: createdAt.getTime(),
      }));
    },
    add: (key, unlessSince) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        // Raw: an advisory lock, because no row stands for the decision to add a key.
        await em.execute('select pg_advisory_xact_lock(?)', [ROTATION_LOCK]);
        const newer = await em.count(SigningKeyRow, { createdAt: { $gte: new Date(unlessSince) } });
        if (newer > 0) return false;
        em.create(SigningKeyRow, {
          kid: key.kid,
          privateJwk: box.seal(JSON.stringify(key.privateJwk)),
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

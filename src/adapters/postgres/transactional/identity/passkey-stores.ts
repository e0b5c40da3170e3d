import type { EntityManager } from '@mikro-orm/postgresql';
import { PasskeyRow, RecoveryCodeRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { FOR_UPDATE, holdActiveUser, type Orm } from '#adapters/postgres/transactional/orm.ts';
import type { PasskeyReader, PasskeyWriter } from '#application/ports/auth/stores/passkey-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { isCounterFresh, type Passkey } from '#domain/access/passkey.ts';
import type { UserId } from '#domain/ids.ts';

const OLDEST_FIRST = { createdAt: 'asc', id: 'asc' } as const;

export function makePasskeyReader(orm: Orm): PasskeyReader {
  const active = { status: 'active' } as const;
  return {
    list: (userId) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const where = { user: { id: userId, ...active } };
        return (await em.find(PasskeyRow, where, { orderBy: OLDEST_FIRST })).map(toPasskey);
      }),
    find: (credentialId) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const row = await em.findOne(PasskeyRow, { credentialId, user: active });
        return row === null ? null : toPasskey(row);
      }),
  };
}

export function passkeyWriter(em: EntityManager): PasskeyWriter {
  const countOf = (userId: UserId) => em.count(PasskeyRow, { user: userId });
  return {
    hold: async (userId) => {
      if ((await holdActiveUser(em, userId)) === null) return [];
      return (await em.find(PasskeyRow, { user: userId }, { orderBy: OLDEST_FIRST })).map(toPasskey);
    },

    add: async (passkey) => {
      const { userId } = passkey;
      if ((await holdActiveUser(em, userId)) === null) throw new Error(`there is no active user ${userId}`);
      await em.flush();
      // Another user may add the same credential at this moment, so the database decides.
      const row = await em.upsert(PasskeyRow, toRow(passkey), {
        onConflictFields: ['credentialId'],
        onConflictAction: 'ignore',
      });
      return row.id === passkey.id;
    },

    use: async (id, { counter, isBackedUp, at }) => {
      const row = await em.findOne(PasskeyRow, { id }, FOR_UPDATE);
      if (row === null || !isCounterFresh(row.counter, counter)) return false;
      Object.assign(row, { counter, isBackedUp, lastUsedAt: new Date(at) });
      return true;
    },

    remove: async (userId, id) => {
      const user = await holdActiveUser(em, userId);
      const row = user === null ? null : await em.findOne(PasskeyRow, { id, user: userId }, FOR_UPDATE);
      if (user === null || row === null) return null;
      const { name } = row;
      await em.remove(row).flush();
      if (user.totpSecret === null && (await countOf(userId)) === 0) {
        user.mfaEpoch += 1;
        await em.nativeDelete(RecoveryCodeRow, { user: userId });
      }
      return { name };
    },
  };
}

function toRow({ userId, transports, createdAt, lastUsedAt, ...passkey }: Passkey) {
  return {
    ...passkey,
    user: userId,
    transports: [...transports],
    createdAt: new Date(createdAt),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
  };
}

function toPasskey(row: PasskeyRow): Passkey {
  const { id, name, credentialId, publicKey, counter, isBackedUp } = row;
  return {
    ...{ id, name, credentialId, publicKey, counter, isBackedUp },
    userId: row.user.id,
    transports: [...row.transports],
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt === null ? null : row.lastUsedAt.getTime(),
  };
}

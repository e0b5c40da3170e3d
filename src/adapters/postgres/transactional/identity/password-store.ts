import type { EntityManager } from '@mikro-orm/postgresql';
import { holdActiveUser } from '#adapters/postgres/transactional/row-locks.ts';
import type { PasswordWriter } from '#application/ports/auth/stores/password-store.ts';

export function passwordWriter(em: EntityManager): PasswordWriter {
  return {
    holdEpoch: async (userId) => (await holdActiveUser(em, userId))?.passwordEpoch ?? null,
    change: async (userId, passwordHash) => {
      const user = await holdActiveUser(em, userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      user.passwordHash = passwordHash;
      user.passwordEpoch += 1;
    },
  };
}

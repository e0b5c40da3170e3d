import type { EntityManager } from '@mikro-orm/postgresql';
import { UserRow } from '#adapters/postgres/transactional/entities/user-row.ts';
import { holdUser } from '#adapters/postgres/transactional/row-locks.ts';
import type { UserStatusWriter } from '#application/ports/auth/stores/user-status.ts';

export function userStatusWriter(em: EntityManager): UserStatusWriter {
  return {
    disable: async (userId) => {
      const user = await holdUser(em, userId);
      if (user?.status !== 'active') return false;
      user.status = 'disabled';
      user.authEpoch += 1;
      return true;
    },
    enable: async (userId) => {
      const user = await holdUser(em, userId);
      if (user?.status !== 'disabled') return false;
      if ((await em.count(UserRow, { emailLc: user.emailLc, status: 'active' })) > 0) return 'email-taken';
      user.status = 'active';
      user.authEpoch += 1;
      return true;
    },
  };
}

import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import { findActiveByEmail } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { UserStatusWriter } from '#application/ports/auth/stores/user-status.ts';

export function makeUserStatusWriter(tables: AccessTables, world: World): UserStatusWriter {
  return {
    async disable(userId) {
      const user = tables.users.get(userId);
      if (user?.status !== 'active') return false;
      tables.users.set(userId, { ...user, status: 'disabled', authEpoch: user.authEpoch + 1 });
      return true;
    },
    async enable(userId) {
      const user = tables.users.get(userId);
      if (user?.status !== 'disabled') return false;
      if (findActiveByEmail(world, user.email) !== undefined) return 'email-taken';
      tables.users.set(userId, { ...user, status: 'active', authEpoch: user.authEpoch + 1 });
      return true;
    },
  };
}

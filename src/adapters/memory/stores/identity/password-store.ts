import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import type { StoredUser } from '#adapters/memory/tables/world.ts';
import type { PasswordWriter } from '#application/ports/auth/stores/password-store.ts';
import type { UserId } from '#domain/ids.ts';

export function makePasswordWriter(tables: AccessTables): PasswordWriter {
  const findActive = (userId: UserId): StoredUser | null => {
    const user = tables.users.get(userId);
    return user?.status === 'active' ? user : null;
  };
  return {
    async holdEpoch(userId) {
      return findActive(userId)?.passwordEpoch ?? null;
    },
    async change(userId, passwordHash) {
      const user = findActive(userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      tables.users.set(userId, { ...user, passwordHash, passwordEpoch: user.passwordEpoch + 1 });
    },
  };
}

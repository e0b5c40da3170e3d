/** The sign-in data of users. Every call reads the world. */
import { findActiveByEmail } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { UserId } from '#domain/ids.ts';
import { toPrincipal } from './principal-store.ts';

export function makeSignInStore(world: World): SignInStore {
  const find = (userId: UserId | undefined): SignInAccount | null => {
    const user = userId === undefined ? undefined : world.users.get(userId);
    if (user?.status !== 'active') return null;
    const { email, name, passwordHash, passwordEpoch } = user;
    return { principal: toPrincipal(world, user), email, name, passwordHash, passwordEpoch };
  };
  return {
    findByEmail: async (email) => find(findActiveByEmail(world, email)?.id),
    findById: async (userId) => find(userId),
    findByRefreshToken: async (tokenSha256) => {
      const token = world.refreshTokens.get(tokenSha256);
      if (token === undefined) return null;
      const { sessionId, usedAt } = token;
      const account = find(world.sessions.get(sessionId)?.userId);
      return account === null ? null : { account, sessionId, usedAt };
    },
    replacePasswordHash: (userId, from, to) =>
      world.lock(() => {
        const user = world.users.get(userId);
        if (user?.passwordHash === from) world.users.set(userId, { ...user, passwordHash: to });
      }),
  };
}

/** The networks that users have signed in from. */
import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import { findActiveByEmail } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { HasSignedInFrom, OwnNetworkWriter } from '#application/ports/auth/stores/own-networks.ts';

export function makeHasSignedInFrom(world: World): HasSignedInFrom {
  return async (named, network, since) => {
    const user = 'email' in named ? findActiveByEmail(world, named.email) : world.users.get(named.userId);
    if (user?.status !== 'active') return false;
    const lastAt = world.ownNetworks.get(user.id)?.get(network);
    return lastAt !== undefined && lastAt >= since;
  };
}

export function makeOwnNetworkWriter(tables: AccessTables): OwnNetworkWriter {
  return {
    async remember(userId, network, at, forget) {
      if (tables.users.get(userId) === null) throw new Error(`there is no user ${userId}`);
      const kept = [...(tables.ownNetworks.get(userId) ?? [])].filter(([, lastAt]) => lastAt >= forget);
      const earlier = new Map(kept).get(network) ?? at;
      tables.ownNetworks.set(userId, new Map([...kept, [network, Math.max(earlier, at)]]));
    },
  };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { OwnNetworkRow } from '#adapters/postgres/transactional/entities/own-network-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { HasSignedInFrom, OwnNetworkWriter } from '#application/ports/auth/stores/own-networks.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { IS_ACTIVE } from './principal-row.ts';

/** Raw: one statement, whether the user exists or not. */
export function makeHasSignedInFrom(orm: Orm): HasSignedInFrom {
  return async (named, network, since) => {
    const [column, value] = 'email' in named ? ['u.email_lc', foldCase(named.email)] : ['u.id', named.userId];
    const rows = await orm.withScope(SYSTEM_SCOPE, (em) =>
      em.execute(
        `select 1 from own_network n join app_user u on u.id = n.user_id
         where ${column} = ? and ${IS_ACTIVE} and n.network = ? and n.last_at >= ?`,
        [value, network, new Date(since).toISOString()],
      ),
    );
    return rows.length > 0;
  };
}

export function ownNetworkWriter(em: EntityManager): OwnNetworkWriter {
  return {
    remember: async (userId, network, at, forget) => {
      await em.flush();
      await em.nativeDelete(OwnNetworkRow, { user: userId, lastAt: { $lt: new Date(forget) } });
      // Raw, for GREATEST: the later of two simultaneous sign-ins counts.
      await em.execute(REMEMBER, [userId, network, new Date(at).toISOString()]);
    },
  };
}

const REMEMBER = `
  insert into own_network as known (user_id, network, last_at) values (?, ?, ?)
  on conflict (user_id, network) do update set last_at = greatest(known.last_at, excluded.last_at)`;

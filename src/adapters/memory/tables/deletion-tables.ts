/** The tables that erase an account, besides the access tables, as one transaction changes them. */
import { StagedMap } from './staged-map.ts';
import type { World } from './world.ts';

type Tables = Pick<World, 'deletionRequests' | 'userIdsByEmail' | 'erasedUsers'>;

/** `assertOpen` throws once the transaction has ended. */
export function stageDeletionTables(world: Tables, assertOpen: () => void) {
  const tables = {
    requests: new StagedMap(world.deletionRequests, assertOpen),
    userIdsByEmail: new StagedMap(world.userIdsByEmail, assertOpen),
    erasedUsers: new StagedMap(world.erasedUsers, assertOpen),
  };
  return {
    ...tables,
    commit: () => {
      for (const table of Object.values(tables)) table.commit();
    },
  };
}

export type DeletionTables = ReturnType<typeof stageDeletionTables>;

/** The tables that the deletion of an account changes beside those of who may come in, as one transaction does. */
import { StagedMap } from './staged-map.ts';
import type { World } from './world.ts';

type Tables = Pick<World, 'deletionRequests' | 'userIdsByEmail' | 'erasedUsers'>;

/** Made at the beginning of a transaction. `assertOpen` throws when it has ended. */
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

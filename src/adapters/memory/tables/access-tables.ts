/** The access tables as one transaction changes them. */
import { StagedMap } from './staged-map.ts';
import type { World } from './world.ts';

type Tables = Pick<
  World,
  | 'users'
  | 'sessions'
  | 'refreshTokens'
  | 'mfaEnrollments'
  | 'recoveryCodes'
  | 'ownNetworks'
  | 'apiKeys'
  | 'apiKeyIdsBySha256'
>;

export function stageAccessTables(world: Tables, assertUsable: () => void) {
  const tables = {
    users: new StagedMap(world.users, assertUsable),
    sessions: new StagedMap(world.sessions, assertUsable),
    refreshTokens: new StagedMap(world.refreshTokens, assertUsable),
    mfaEnrollments: new StagedMap(world.mfaEnrollments, assertUsable),
    recoveryCodes: new StagedMap(world.recoveryCodes, assertUsable),
    ownNetworks: new StagedMap(world.ownNetworks, assertUsable),
    apiKeys: new StagedMap(world.apiKeys, assertUsable),
    apiKeyIdsBySha256: new StagedMap(world.apiKeyIdsBySha256, assertUsable),
  };
  return {
    ...tables,
    commit: () => {
      for (const table of Object.values(tables)) table.commit();
    },
  };
}

export type AccessTables = ReturnType<typeof stageAccessTables>;

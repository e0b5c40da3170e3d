/** Reads and changes the world of the in-memory backend. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { Probe, UserChange } from './probe.ts';

export function makeMemoryProbe(world: World): Probe {
  return {
    auditEntries: async () => [...world.auditEntries],
    filters: async () => [...world.filters.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    mailsAbout: async (requestId) =>
      [...world.mails.values()]
        .filter((mail) => mail.requestId === requestId)
        .map(({ kind, status, userId, contents }) => ({
          kind,
          status,
          userId,
          email: contents?.to.email ?? null,
          facts: contents === null ? null : { ...contents.facts },
        }))
        .sort((a, b) => (`${a.kind} ${a.userId}` < `${b.kind} ${b.userId}` ? -1 : 1)),
    changeUser: async (id, change) => {
      if (change.status === 'deleted') {
        world.users.delete(id);
        world.erasedUsers.set(id, 0);
        return;
      }
      const user = find(world.users, id);
      world.users.set(id, { ...user, ...columnsOf(change, user) });
    },
    moveOrganization: async (id, partnerId) => {
      world.organizations.set(id, { ...find(world.organizations, id), partnerId });
    },
    setKeyRevoked: async (id, isRevoked) => {
      world.apiKeys.set(id, { ...find(world.apiKeys, id), revokedAt: isRevoked ? 0 : null });
    },
    setFiltersCreated: async (ids, createdAt) => {
      for (const filter of [...world.filters.values()].filter(({ id }) => ids.includes(id))) {
        world.filters.set(filter.id, { ...filter, createdAt });
      }
    },
    removeCustomField: async (id) => {
      world.customFields.delete(id);
    },
  };
}

function columnsOf(
  { status, permissions, isPlatformAdmin, membership, newAuthEpoch, newMfaEpoch }: UserChange,
  { authEpoch, mfaEpoch }: { readonly authEpoch: number; readonly mfaEpoch: number },
) {
  return {
    ...(status !== undefined && status !== 'deleted' && { status }),
    ...(permissions !== undefined && { permissions }),
    ...(isPlatformAdmin !== undefined && { isPlatformAdmin }),
    ...(membership !== undefined && { membership }),
    ...(newAuthEpoch && { authEpoch: authEpoch + 1 }),
    ...(newMfaEpoch && { mfaEpoch: mfaEpoch + 1 }),
  };
}

function find<K, V>(table: ReadonlyMap<K, V>, id: K): V {
  const row = table.get(id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  return row;
}

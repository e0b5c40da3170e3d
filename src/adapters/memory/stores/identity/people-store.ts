import { attributionOf } from '#adapters/memory/stores/deletion/deletion-request-store.ts';
import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import { comparePeople, type Named, type Person } from '#domain/access/person.ts';
import { containsFolded, sortedName } from '#domain/text/fold-case.ts';

type Tables = Pick<World, 'users' | 'organizations' | 'partners' | 'sessions' | 'ownNetworks'>;

export function makePeopleReader(world: Tables): PeopleReader {
  return {
    async list(scope, { foldedText, orgId, partnerId, status, after, limit }) {
      const isIn = containsFolded(foldedText);
      return [...world.users.values()]
        .filter((user) => {
          const owner = attributionOf(user.membership);
          return (
            isWithinReach(scope, owner) &&
            (orgId === null || owner.orgId === orgId) &&
            (partnerId === null || owner.partnerId === partnerId) &&
            (status === null || user.status === status) &&
            (isIn(user.name) || isIn(user.email))
          );
        })
        .map((user) => ({ user, id: user.id, name: sortedName(user.name) }))
        .filter((place) => after === null || comparePeople(place, after) > 0)
        .sort(comparePeople)
        .slice(0, limit)
        .map(({ user }) => toPerson(world, user));
    },
    async find(scope, id) {
      const user = world.users.get(id);
      const isThere = user !== undefined && isWithinReach(scope, attributionOf(user.membership));
      return isThere ? toPerson(world, user) : null;
    },
  };
}

function toPerson(world: Tables, user: StoredUser): Person {
  const { id, email, name, membership, permissions, isPlatformAdmin, status, totpSecret, createdAt } = user;
  const { orgId, partnerId } = attributionOf(membership);
  const signedIn = [
    ...(world.ownNetworks.get(id)?.values() ?? []),
    ...[...world.sessions.values()].flatMap((session) => (session.userId === id ? [session.createdAt] : [])),
  ];
  return {
    ...{ id, email, name, isPlatformAdmin, status, createdAt },
    membership:
      membership.scope === 'partner' && membership.orgIds !== null
        ? { ...membership, orgIds: membership.orgIds.toSorted() }
        : membership,
    organization: toNamed(orgId === null ? undefined : world.organizations.get(orgId)),
    partner: toNamed(partnerId === null ? undefined : world.partners.get(partnerId)),
    permissions: permissions.toSorted(),
    mfa: { totp: totpSecret !== null, passkeys: 0 },
    identityProvider: null,
    lastSignInAt: signedIn.length === 0 ? null : Math.max(...signedIn),
  };
}

function toNamed(found: Named | undefined): Named | null {
  return found === undefined ? null : { id: found.id, name: found.name };
}

import { moveOpenRequest } from '#adapters/memory/stores/deletion/deletion-request-store.ts';
import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import { findByEmail } from '#adapters/memory/tables/users.ts';
import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { PeopleReader, PeopleWriter } from '#application/ports/people/people-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import {
  type ChangeablePerson,
  comparePeople,
  type Named,
  type Person,
  standingOf,
} from '#domain/access/person.ts';
import { ADMINISTRATOR_ROLES, administratorRoles, isSameMembership } from '#domain/access/rights.ts';
import type { UserId } from '#domain/ids.ts';
import { containsFolded, foldCase, sortedName } from '#domain/text/fold-case.ts';
import { passkeysOf } from './passkey-stores.ts';
import { toScope } from './principal-store.ts';

type Tables = Pick<
  World,
  | 'users'
  | 'organizations'
  | 'partners'
  | 'sessions'
  | 'ownNetworks'
  | 'passkeys'
  | 'identityProviders'
  | 'federatedIdentities'
>;

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
  const { id, membership, totpSecret, createdAt } = user;
  const { orgId, partnerId } = attributionOf(membership);
  const made = [...world.federatedIdentities.values()].find(({ userId, isMade }) => isMade && userId === id);
  const signedIn = [
    ...(world.ownNetworks.get(id)?.values() ?? []),
    ...[...world.sessions.values()].flatMap((session) => (session.userId === id ? [session.createdAt] : [])),
  ];
  return {
    ...toChangeable(user),
    organization: toNamed(orgId === null ? undefined : world.organizations.get(orgId)),
    partner: toNamed(partnerId === null ? undefined : world.partners.get(partnerId)),
    mfa: { totp: totpSecret !== null, passkeys: passkeysOf(world, id).length },
    identityProvider: toNamed(made && world.identityProviders.get(made.providerId)?.provider),
    createdAt,
    lastSignInAt: signedIn.length === 0 ? null : Math.max(...signedIn),
  };
}

function toNamed(found: Named | undefined): Named | null {
  return found === undefined ? null : { id: found.id, name: found.name };
}

function toChangeable(user: StoredUser): ChangeablePerson {
  const { id, email, name, membership, permissions, isPlatformAdmin, status } = user;
  return {
    ...{ id, email, name, isPlatformAdmin, status },
    permissions: permissions.toSorted(),
    membership:
      membership.scope === 'partner' && membership.orgIds !== null
        ? { ...membership, orgIds: membership.orgIds.toSorted() }
        : membership,
  };
}

export function makePeopleWriter(world: World, tables: StagedTables, scope: AccessScope): PeopleWriter {
  const find = (id: UserId) => {
    const user = tables.users.get(id);
    return user !== null && isWithinReach(scope, attributionOf(user.membership)) ? user : null;
  };
  return {
    async hold(id) {
      const user = find(id);
      return user === null ? null : toChangeable(user);
    },
    async replace({ id, name, membership, permissions, isPlatformAdmin, status }) {
      const user = find(id);
      if (user === null) throw new Error(`there is no person ${id}`);
      if (!isWithinReach(scope, attributionOf(membership)))
        throw new Error(`the place of ${id} is out of reach`);
      const isVoid = status !== user.status || !isSameMembership(membership, user.membership);
      const next = {
        ...user,
        ...structuredClone({ name, membership, permissions, isPlatformAdmin }),
        status: status === 'invited' ? user.status : status,
        authEpoch: user.authEpoch + (isVoid ? 1 : 0),
      };
      tables.users.set(id, next);
      // Another user may have taken over the email while this person was disabled.
      if (next.status === 'active') tables.userIdsByEmail.set(foldCase(next.email), id);
      moveOpenRequest(tables, next);
    },
    async placeExists(membership) {
      if (membership.scope === 'system') return true;
      if (membership.scope === 'organization') return tables.organizations.get(membership.orgId) !== null;
      const { partnerId, orgIds } = membership;
      return (
        tables.partners.get(partnerId) !== null &&
        (orgIds ?? []).every((orgId) => tables.organizations.get(orgId)?.partnerId === partnerId)
      );
    },
    async isEmailTaken({ email }) {
      return findByEmail(world, email) !== undefined;
    },
    async rolesOfNobodyElse(id) {
      const others = [...tables.users.values()].filter((user) => user.id !== id);
      const held = new Set(others.flatMap((user) => administratorRoles(standingOf(toChangeable(user)))));
      return ADMINISTRATOR_ROLES.filter((role) => !held.has(role));
    },
    async findHolders(permission, attribution) {
      if (scope.kind !== 'system') throw new Error('this is possible within the system scope only');
      return [...tables.users.values()]
        .filter(
          (user) =>
            user.status === 'active' &&
            user.permissions.includes(permission) &&
            user.membership.scope !== 'system' &&
            isWithinReach(toScope(world, user), attribution),
        )
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id: userId, email, name }) => ({ userId, email, name }));
    },
  };
}

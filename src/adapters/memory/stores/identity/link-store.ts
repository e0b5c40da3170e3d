import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { StoredUser } from '#adapters/memory/tables/world.ts';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import type { LinkedAccount, LinkWriter, NewPerson } from '#application/ports/auth/stores/link-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import {
  type AccountLink,
  GOOD_AT_ONCE,
  isLinkGood,
  LINK_LIFETIME_MS,
  type LinkEpochs,
  type LinkedPerson,
} from '#domain/access/account-link.ts';
import type { UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import { missingMembership } from './account-store.ts';

export function makeLinkWriter(tables: StagedTables, newId: IdGenerator): LinkWriter {
  const { links, resetRequests, users } = tables;
  const find = (userId: UserId): StoredUser => {
    const user = users.get(userId);
    if (user === null) throw new Error(`there is no user ${userId}`);
    return user;
  };
  const removeLinks = async (userId: UserId | null) => {
    for (const link of [...links.values()]) if (link.userId === userId) links.delete(link.tokenSha256);
  };
  return {
    async invite(person, createdAt) {
      const refusal = refuseNewPerson(tables, person);
      if (refusal !== null) return refusal;
      putPerson(tables, person, { passwordHash: null, status: 'invited', createdAt });
      return null;
    },
    async accept(userId, { name, passwordHash }) {
      const user = find(userId);
      users.set(userId, {
        ...user,
        ...{ name, passwordHash, status: 'active' },
        passwordEpoch: user.passwordEpoch + 1,
        authEpoch: user.authEpoch + 1,
      });
      await removeLinks(userId);
    },
    async addAdministrator(person, passwordHash, createdAt) {
      putPerson(tables, person, { passwordHash, status: 'active', createdAt });
    },
    hasPeople: async () => users.values().some(() => true),
    async addLink({ purpose, userId, tokenSha256, at, lifetimeMs = LINK_LIFETIME_MS[purpose] }) {
      const person = userId === null ? null : toPerson(users.get(userId));
      const epochs = purpose === 'password-reset' ? (person?.epochs ?? null) : null;
      const expiresAt = at + lifetimeMs;
      const link: AccountLink = { tokenSha256, purpose, userId, epochs, createdAt: at, expiresAt };
      if (!isLinkGood(link, person, at)) return;
      for (const known of [...links.values()]) if (known.expiresAt <= at) links.delete(known.tokenSha256);
      if (userId !== null) {
        const others = [...links.values()]
          .filter((known) => known.userId === userId && known.purpose === purpose)
          .sort((a, b) => b.createdAt - a.createdAt || (a.tokenSha256 < b.tokenSha256 ? -1 : 1));
        const kept = GOOD_AT_ONCE[purpose as keyof typeof GOOD_AT_ONCE] - 1;
        for (const known of others.slice(kept)) links.delete(known.tokenSha256);
      }
      links.set(tokenSha256, link);
    },
    async hold(tokenSha256, purpose, now) {
      const link = links.get(tokenSha256);
      if (link?.purpose !== purpose) return null;
      const user = link.userId === null ? null : users.get(link.userId);
      if (!isLinkGood(link, toPerson(user), now)) return null;
      return user === null ? 'nobody' : toAccount(user);
    },
    removeLinks,
    async requestReset(email, requestedAt: EpochMs) {
      const userId = tables.userIdsByEmail.get(foldCase(email));
      resetRequests.set(newId(), { userId, requestedAt });
    },
    async takeResetRequest() {
      const [id] = [...resetRequests.entries()].map(([key]) => key).sort();
      const request = id === undefined ? null : resetRequests.get(id);
      if (id === undefined || request === null) return null;
      resetRequests.delete(id);
      const user = request.userId === null ? null : users.get(request.userId);
      return user?.status === 'active' && user.passwordHash !== null ? toAccount(user) : 'nobody';
    },
  };
}

/** Null if the person can be added (see `LinkWriter.invite`). */
export function refuseNewPerson(tables: StagedTables, person: NewPerson): AccountRefusal | null {
  const refusal = missingMembership(tables, person);
  if (refusal !== null) return refusal;
  const email = foldCase(person.email);
  return tables.users.values().some((user) => foldCase(user.email) === email) ? 'email-taken' : null;
}

export function putPerson(
  tables: StagedTables,
  person: NewPerson,
  secrets: Pick<StoredUser, 'passwordHash' | 'status' | 'createdAt'>,
): void {
  tables.users.set(person.id, {
    ...structuredClone(person),
    ...secrets,
    totpSecret: null,
    passwordEpoch: 1,
    authEpoch: 1,
    mfaEpoch: 1,
    lastTotpStep: null,
  });
  tables.userIdsByEmail.set(foldCase(person.email), person.id);
}

function toPerson(user: StoredUser | null): LinkedPerson | null {
  return user === null ? null : { status: user.status, epochs: epochsOf(user) };
}

function epochsOf({ authEpoch, passwordEpoch, mfaEpoch }: StoredUser): LinkEpochs {
  return { auth: authEpoch, password: passwordEpoch, mfa: mfaEpoch };
}

function toAccount({ id: userId, email, name, membership }: StoredUser): LinkedAccount {
  return { userId, email, name, membership: structuredClone(membership) };
}

/**
 * Announces changes of access, so this process drops what it has cached (Contract: §2, "at once in the instance that
 * made it").
 */
import type { Backend } from '#application/backend.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/ids.ts';

/** Called with null if the access of any user may have changed. */
export type AnnounceAccessChange = (userId: UserId | null) => void;

/** Calls `announce` after each transaction that may have changed access. */
export function announceAccessChanges(
  { unitOfWork, fleetWriter }: Pick<Backend, 'unitOfWork' | 'fleetWriter'>,
  announce: AnnounceAccessChange,
): Pick<Backend, 'unitOfWork' | 'fleetWriter'> {
  return {
    unitOfWork: announceFrom(unitOfWork, announce),
    fleetWriter: async (...load) => {
      try {
        return await fleetWriter(...load);
      } finally {
        announce(null);
      }
    },
  };
}

/** Also announces after failures: if the connection breaks during a commit, the outcome is unknown. */
function announceFrom(unitOfWork: UnitOfWork, announce: AnnounceAccessChange): UnitOfWork {
  return async (scope, work) => {
    const changed = new Set<UserId | null>();
    try {
      return await unitOfWork(scope, (tx) => work(observe(tx, changed)));
    } finally {
      for (const userId of changed) announce(userId);
    }
  };
}

function observe(tx: Transaction, changed: Set<UserId | null>): Transaction {
  const note = <T extends UserId | null>(userId: T): T => {
    if (userId !== null) changed.add(userId);
    return userId;
  };
  return {
    ...tx,
    tenants: {
      ...tx.tenants,
      // A new organization changes the access of everyone who reaches its whole partner.
      addOrganization: (organization) => {
        changed.add(null);
        return tx.tenants.addOrganization(organization);
      },
      add: (kind, place) => {
        changed.add(null);
        return tx.tenants.add(kind, place);
      },
      remove: (kind, place) => {
        changed.add(null);
        return tx.tenants.remove(kind, place);
      },
    },
    eraseAccount: (userId) => tx.eraseAccount(note(userId)),
    sessions: {
      ...tx.sessions,
      end: async (id, at) => note(await tx.sessions.end(id, at)),
      endByRefreshToken: async (token, at) => note(await tx.sessions.endByRefreshToken(token, at)),
      endOthers: (userId, kept, at) => tx.sessions.endOthers(note(userId), kept, at),
    },
    mfa: {
      ...tx.mfa,
      completeEnrollment: (userId, completed) => tx.mfa.completeEnrollment(note(userId), completed),
      removeFactor: (userId) => tx.mfa.removeFactor(note(userId)),
    },
    passkeys: {
      ...tx.passkeys,
      add: (passkey) => {
        note(passkey.userId);
        return tx.passkeys.add(passkey);
      },
      remove: (userId, id) => tx.passkeys.remove(note(userId), id),
    },
    links: {
      ...tx.links,
      accept: (userId, accepted) => tx.links.accept(note(userId), accepted),
    },
    people: { ...tx.people, replace: (person) => tx.people.replace({ ...person, id: note(person.id) }) },
    passwords: {
      ...tx.passwords,
      change: (userId, passwordHash) => tx.passwords.change(note(userId), passwordHash),
    },
    apiKeys: { ...tx.apiKeys, revoke: (userId, id, at) => tx.apiKeys.revoke(note(userId), id, at) },
  };
}

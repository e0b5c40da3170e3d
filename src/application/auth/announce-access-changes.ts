/**
 * Announces whose access a transaction has changed, so that what this process remembers of them is read again at once
 * (Contract: §2, "at once in the instance that made it").
 */
import type { Backend } from '#application/backend.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/ids.ts';

/** The user whose sessions, factor, keys or status changed; null if it may have been anybody. */
export type AnnounceAccessChange = (userId: UserId | null) => void;

/** The parts of a backend that change access; `announce` is called after each transaction that may have done so. */
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

/** Also if the transaction fails: its outcome is unknown if the connection was lost during the commit. */
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

/** The same transaction; adds the users whose access it changes. */
function observe(tx: Transaction, changed: Set<UserId | null>): Transaction {
  const note = <T extends UserId | null>(userId: T): T => {
    if (userId !== null) changed.add(userId);
    return userId;
  };
  return {
    ...tx,
    tenants: {
      ...tx.tenants,
      // A new organization is in reach of everybody who reaches its whole partner.
      addOrganization: (organization) => {
        changed.add(null);
        return tx.tenants.addOrganization(organization);
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
    userStatus: {
      disable: (userId) => tx.userStatus.disable(note(userId)),
      enable: (userId) => tx.userStatus.enable(note(userId)),
    },
    passwords: {
      ...tx.passwords,
      change: (userId, passwordHash) => tx.passwords.change(note(userId), passwordHash),
    },
    apiKeys: { ...tx.apiKeys, revoke: (userId, id, at) => tx.apiKeys.revoke(note(userId), id, at) },
  };
}

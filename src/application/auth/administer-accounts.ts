/** An operator's changes to accounts, from the command line (Contract: §15). */
import { refuseLeaving } from '#application/people/rights-refusals.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ApiKeyId, UserId } from '#domain/ids.ts';
import { makeNotifyUser } from './notify-user.ts';

/**
 * Each change is one transaction with its entry. It is false, without change and entry, where nothing applies: the user
 * is unknown, or in that state already. All but `enable` and `revokeKey` end the user's sessions.
 */
export interface AccountAdministration {
  /** API keys stop working too, until the user is enabled again. */
  disable(userId: UserId, entry: AuditEntry): Promise<boolean | 'last-administrator'>;
  enable(userId: UserId, entry: AuditEntry): Promise<boolean | 'email-taken'>;
  /** The user gets a mail. The password has 8 to 256 characters. */
  resetPassword(userId: UserId, password: string, entry: AuditEntry): Promise<boolean>;
  /** The user gets a mail. */
  revokeKey(userId: UserId, keyId: ApiKeyId, entry: AuditEntry): Promise<boolean>;
  /** The user gets a mail, and may enrol a new factor. */
  resetMfa(userId: UserId, entry: AuditEntry): Promise<boolean>;
}

export interface AccountAdministrationDeps {
  readonly unitOfWork: UnitOfWork;
  readonly hashPassword: PasswordHasher;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeAccountAdministration(deps: AccountAdministrationDeps): AccountAdministration {
  const { unitOfWork, hashPassword, clock } = deps;
  const notifyUser = makeNotifyUser(deps);
  const inOne = <T>(entry: AuditEntry, change: (tx: Transaction) => Promise<T>) =>
    unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const outcome = await change(tx);
      if (outcome === true) await tx.audit(entry);
      return outcome;
    });
  const endSessions = (tx: Transaction, userId: UserId) => tx.sessions.endOthers(userId, null, clock());
  return {
    disable: (userId, entry) =>
      inOne(entry, async (tx) => {
        if ((await refuseLeaving(tx, userId)) !== null) return 'last-administrator';
        if (!(await tx.userStatus.disable(userId))) return false;
        await endSessions(tx, userId);
        return true;
      }),
    enable: (userId, entry) => inOne(entry, (tx) => tx.userStatus.enable(userId)),
    resetPassword: async (userId, password, entry) => {
      const passwordHash = await hashPassword(password);
      return inOne(entry, async (tx) => {
        if ((await tx.passwords.holdEpoch(userId)) === null) return false;
        await tx.passwords.change(userId, passwordHash);
        await endSessions(tx, userId);
        await notifyUser(tx, userId, { kind: 'password-changed', facts: { at: clock() } });
        return true;
      });
    },
    revokeKey: (userId, keyId, entry) =>
      inOne(entry, async (tx) => {
        const revoked = await tx.apiKeys.revoke(userId, keyId, clock());
        if (revoked === null) return false;
        await notifyUser(tx, userId, { kind: 'api-key-revoked', facts: { at: clock(), name: revoked.name } });
        return true;
      }),
    resetMfa: (userId, entry) =>
      inOne(entry, async (tx) => {
        if (!(await tx.mfa.removeFactor(userId))) return false;
        await endSessions(tx, userId);
        await notifyUser(tx, userId, { kind: 'mfa-removed', facts: { at: clock() } });
        return true;
      }),
  };
}

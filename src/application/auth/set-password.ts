import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { UserId } from '#domain/ids.ts';
import { makeNotifyUser } from './notify-user.ts';

/**
 * Sets a password for `user reset --password` (Contract: §15). Ends the user's sessions, mails the user and adds the
 * entry in one transaction. The password has 8 to 256 characters. False, with no change, if the user is not active.
 */
export type SetPassword = (userId: UserId, password: string, entry: AuditEntry) => Promise<boolean>;

export interface SetPasswordDeps {
  readonly unitOfWork: UnitOfWork;
  readonly hashPassword: PasswordHasher;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeSetPassword(deps: SetPasswordDeps): SetPassword {
  const { unitOfWork, hashPassword, clock } = deps;
  const notifyUser = makeNotifyUser(deps);
  return async (userId, password, entry) => {
    const passwordHash = await hashPassword(password);
    return unitOfWork(SYSTEM_SCOPE, async (tx) => {
      if ((await tx.passwords.holdEpoch(userId)) === null) return false;
      const at = clock();
      await tx.passwords.change(userId, passwordHash);
      await tx.sessions.endOthers(userId, null, at);
      await notifyUser(tx, userId, { kind: 'password-changed', facts: { at } });
      await tx.audit(entry);
      return true;
    });
  };
}

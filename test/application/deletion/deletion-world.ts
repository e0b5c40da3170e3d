/** Two partners with people of every kind, and their calls: signed in with fresh MFA unless an option differs. */
import type { Call } from '#application/call.ts';
import { callerOfApiKey } from '#domain/access/api-key.ts';
import type { Credential } from '#domain/access/caller.ts';
import { callerOfSession } from '#domain/access/principal.ts';
import type { PendingRequest } from '#domain/deletion/deletion-request.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import { ok } from '#domain/result.ts';
import {
  createStaff,
  type PersonName,
  type Staff,
} from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { newId } from '#test/support/builders.ts';
import {
  type MemoryDeletions,
  type MemoryDeletionsOptions,
  makeMemoryDeletions,
  PASSWORD,
} from '#test/support/http/memory-deletions.ts';

export interface DeletionWorld extends MemoryDeletions {
  readonly staff: Staff;
  callBy(name: PersonName, given?: CallOptions): Promise<Call>;
  /** A pending request of that person. */
  submit(name: PersonName, reason?: string): Promise<PendingRequest>;
  /** Returns the queued mails and marks them as sent. */
  takeMails(): Promise<readonly QueuedMail[]>;
}

export interface CallOptions {
  readonly mfa?: 'fresh' | 'stale' | 'none' | 'not enrolled';
  readonly withApiKey?: boolean;
  readonly permissions?: readonly string[];
}

export async function makeDeletionWorld(options: MemoryDeletionsOptions = {}): Promise<DeletionWorld> {
  const memory = makeMemoryDeletions(options);
  const { backend, now } = memory;
  const staff = await createStaff(backend);

  const callBy: DeletionWorld['callBy'] = async (name, given = {}) => {
    const { mfa = 'fresh', withApiKey = false } = given;
    const user = await backend.principals.findUser(staff.people[name].id);
    if (user === null) throw new Error(`${name} is nobody any more`);
    const permissions = new Set(given.permissions ?? user.permissions);
    const session = { sessionId: newId<'session'>(), mfaVerifiedAt: null, mfaEpoch: null };
    const caller = withApiKey
      ? callerOfApiKey(
          { id: newId(), orgId: null, permissions, expiresAt: null, isRevoked: false },
          { ...user, permissions },
          now(),
        )
      : callerOfSession({ ...user, permissions }, session);
    if (caller === null) throw new Error('the session has ended');
    const ages = { fresh: 900_000, stale: 900_001 };
    const credential: Credential =
      caller.credential.kind === 'api-key'
        ? caller.credential
        : {
            ...caller.credential,
            isMfaEnrolled: mfa !== 'not enrolled',
            mfaVerifiedAt: mfa === 'fresh' || mfa === 'stale' ? now() - ages[mfa] : null,
          };
    return { caller: { ...caller, credential }, requestId: 'request-1', ip: '192.0.2.7' };
  };

  return {
    ...memory,
    staff,
    callBy,
    submit: async (name, reason) => {
      const submitted = await memory.deletions.submitDeletion<never>(await callBy(name), async () =>
        ok({ password: PASSWORD, reason }),
      );
      if (!submitted.ok) throw new Error(`not submitted: ${submitted.error.code}`);
      return submitted.value.request;
    },
    takeMails: async () => {
      const mails: QueuedMail[] = [];
      const claim = () => backend.mailOutbox.claim(now(), 1_000);
      for (let claimed = await claim(); claimed !== null; claimed = await claim()) {
        mails.push(claimed.mail);
        await backend.mailOutbox.settle(claimed, { status: 'sent', at: now() });
      }
      return mails;
    },
  };
}

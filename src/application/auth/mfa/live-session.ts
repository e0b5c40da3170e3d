/** Whether a caller's session is live, as a transaction sees it. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#domain/access/caller.ts';
import { parseId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * False if the session has ended or expired: an access token may outlive both, and must not gain anything then. A live
 * session is locked until the transaction ends.
 */
export async function isSessionLive(
  tx: Pick<Transaction, 'sessions'>,
  { userId, credential }: Caller,
  now: EpochMs,
): Promise<boolean> {
  const sessionId = credential.kind === 'session' ? parseId<'session'>(credential.sessionId) : null;
  return sessionId !== null && (await tx.sessions.holdLive(userId, sessionId, now));
}

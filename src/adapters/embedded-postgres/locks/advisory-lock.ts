/** The session advisory locks by which processes that use one database notice each other. */
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { Session } from '#adapters/embedded-postgres/session/session.ts';

/** Which lock: held by every user of an embedded server, or by the one service that runs on a database. */
export type AdvisoryLock = 'use' | 'service';

/** Two-part keys, which never collide with the one-part keys that libraries use. The first part is ours. */
const KEYS: Record<AdvisoryLock, readonly [number, number]> = {
  use: [0x666c_7366, 1],
  service: [0x666c_7366, 2],
};

const LOCK_NOT_AVAILABLE = '55P03';

/** Takes a lock that any number of sessions can share. */
export async function takeSharedLock(session: Session, lock: AdvisoryLock): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1, $2)', KEYS[lock]);
}

/**
 * Takes a lock that nobody else can hold. Returns false if others hold it for longer than `patienceMs`. (PostgreSQL
 * takes a moment to notice that a process has been killed.)
 */
export async function tryExclusiveLock(
  session: Session,
  lock: AdvisoryLock,
  patienceMs: number,
): Promise<boolean> {
  try {
    await session.query("select set_config('lock_timeout', $1, false)", [String(patienceMs)]);
    await session.query('select pg_advisory_lock($1, $2)', KEYS[lock]);
    return true;
  } catch (error) {
    if (hasErrorCode(error, LOCK_NOT_AVAILABLE)) {
      return false;
    }
    throw error;
  }
}

/** The session advisory locks that users of one database find each other by. */
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { Session } from '#adapters/embedded-postgres/session/session.ts';

/** Which lock: held by every user of an embedded server, or by the one service that runs on a database. */
export type AdvisoryLock = 'use' | 'service';

/** Two-part keys, which PostgreSQL keeps apart from the one-part keys that libraries use. The first is ours. */
const KEYS: Record<AdvisoryLock, readonly [number, number]> = {
  use: [0x666c_7366, 1],
  service: [0x666c_7366, 2],
};

const LOCK_NOT_AVAILABLE = '55P03';

/** Takes a lock that any number of sessions may hold together. */
export async function takeSharedLock(session: Session, lock: AdvisoryLock): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1, $2)', KEYS[lock]);
}

/**
 * Takes a lock that nobody else may hold, or gives false where others keep holding it for `patienceMs`. (The
 * session of a process just killed takes PostgreSQL a moment to notice.)
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

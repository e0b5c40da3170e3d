/** Session advisory locks between processes on one database. */
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { Session } from '#adapters/embedded-postgres/session/session.ts';

/** `use` is held by every user of an embedded server, `service` by the only service on a database. */
export type AdvisoryLock = 'use' | 'service';

/** Two-part keys never collide with the one-part keys of libraries. */
const KEYS: Record<AdvisoryLock, readonly [number, number]> = {
  use: [0x666c_7366, 1],
  service: [0x666c_7366, 2],
};

const LOCK_NOT_AVAILABLE = '55P03';

export async function takeSharedLock(session: Session, lock: AdvisoryLock): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1, $2)', KEYS[lock]);
}

/**
 * Takes an exclusive lock; false if others hold it longer than `patienceMs`. PostgreSQL takes a moment to notice a
 * killed process.
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

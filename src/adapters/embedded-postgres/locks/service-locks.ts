import { hasErrorCode } from '#adapters/embedded-postgres/files/data-dir.ts';
import {
  openSession,
  type ReconnectingSession,
  reconnectWhenLost,
  type Session,
} from '#adapters/embedded-postgres/session/session.ts';

/** All processes that use a server share `use`. Only one service of a database holds `service`. */
type AdvisoryLock = 'use' | 'service';

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
 * Returns false if others hold the lock longer than `patienceMs`. PostgreSQL releases the lock of a killed
 * process late.
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

/** A killed service may hold its lock this long. */
const PATIENCE_MS = 1_000;

/**
 * Returns null if another service runs on the database. Rejects if the database cannot be reached. The lock
 * lasts until the session is closed, and is taken again after a lost connection.
 */
export async function acquireServiceLock(url: string): Promise<ReconnectingSession | null> {
  const session = await openLockedSession(url);
  if (session === null) return null;
  const reopen = async () => {
    const reopened = await openLockedSession(url);
    if (reopened === null) throw new Error('another process has taken the service lock');
    return reopened;
  };
  return reconnectWhenLost(session, { reopen, report: () => {} });
}

async function openLockedSession(url: string): Promise<Session | null> {
  const session = await openSession(url);
  try {
    if (await tryExclusiveLock(session, 'service', PATIENCE_MS)) return session;
  } catch (error) {
    await session.close();
    throw error;
  }
  await session.close();
  return null;
}

/** Session advisory locks between processes on one database. */
import { hasErrorCode } from '#adapters/embedded-postgres/files/data-dir.ts';
import { openSession, reconnectWhenLost, type Session } from '#adapters/embedded-postgres/session/session.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** `use` is held by every user of an embedded server, `service` by the only service on a database. */
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

/** Lets only one service run on a database; held until released or until the process ends. */
export interface ServiceLock {
  /** Idempotent. */
  release(): Promise<void>;
}

/** The lock of a killed service may be held this long. */
const PATIENCE_MS = 1_000;

/**
 * Takes the lock on the database at `url`, or returns `held`. Rejects if the database cannot be reached. After a lost
 * connection the lock is taken again once the database is back.
 */
export async function acquireServiceLock(url: string): Promise<Result<ServiceLock, 'held'>> {
  const session = await openLockedSession(url);
  if (session === undefined) {
    return err('held');
  }
  const kept = reconnectWhenLost(session, {
    reopen: () => reopenLockedSession(url),
    onLost: () => {},
    onRestored: () => {},
    onFailure: () => {},
  });
  return ok({ release: () => kept.close() });
}

async function openLockedSession(url: string): Promise<Session | undefined> {
  const session = await openSession(url);
  try {
    if (await tryExclusiveLock(session, 'service', PATIENCE_MS)) {
      return session;
    }
  } catch (error) {
    await session.close();
    throw error;
  }
  await session.close();
  return undefined;
}

async function reopenLockedSession(url: string): Promise<Session> {
  const session = await openLockedSession(url);
  if (session === undefined) {
    throw new Error('another process has taken the service lock');
  }
  return session;
}

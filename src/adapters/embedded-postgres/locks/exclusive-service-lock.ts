import { reconnectWhenLost } from '#adapters/embedded-postgres/session/reconnecting-session.ts';
import { openSession, type Session } from '#adapters/embedded-postgres/session/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { tryExclusiveLock } from './advisory-lock.ts';

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

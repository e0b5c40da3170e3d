/**
 * One process at a time may start or stop the server of a data directory.
 *
 * The lock is SQLite's exclusive one on an empty file: the only file lock in Node's standard library, and one
 * that the kernel releases however a process dies. (Whether a file with a process id is stale can only be guessed,
 * and taking it over is a race.)
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, ensureDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';

/** Longer than a slow first start: creating the cluster, and crash recovery after it. */
const PATIENCE_MS = 240_000;
const POLL_MS = 50;

/** SQLITE_BUSY: somebody else holds the lock. */
const SQLITE_BUSY = 5;

/** Runs `action` while no other process that uses the data directory runs one. Throws if others take too long. */
export async function withStartMutex<T>(
  dataDir: DataDir,
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  // Opening and closing the file by other means would, by the rules of POSIX, drop a lock that this very
  // process holds on it. So it is made once, and SQLite alone opens it.
  await ensureDataFile(dataDir, dataDir.lock);
  const database = new DatabaseSync(dataDir.lock, { timeout: 0 });
  try {
    await takeLock(database, dataDir, signal);
    return await action();
  } finally {
    database.close();
  }
}

async function takeLock(database: DatabaseSync, dataDir: DataDir, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!tryLock(database)) {
    signal.throwIfAborted();
    if (performance.now() > giveUpAt) {
      throw new Error(
        `Another process has been starting or stopping the database in ${dataDir.path} for ${PATIENCE_MS / 1000} s ` +
          `(it holds ${dataDir.lock})`,
      );
    }
    await delay(POLL_MS);
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    // No journal beside the file: whoever holds the lock writes nothing, so that a full disk neither keeps a service from
    // stopping its server nor commands from one that runs.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      return false;
    }
    throw error;
  }
}

/**
 * Only one process at a time may start or stop the server of a data directory.
 * The lock is SQLite's exclusive lock on an empty file: the only file lock in Node's standard library, and the kernel
 * releases it however the process dies. A file with a process id could be stale, and taking it over would be a race.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, ensureDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';

/** Covers a slow first start: creating the cluster and crash recovery. */
const PATIENCE_MS = 240_000;
const POLL_MS = 50;

/** SQLITE_BUSY. */
const SQLITE_BUSY = 5;

/** Runs `action` exclusively for the data directory. Throws if others take too long. */
export async function withStartMutex<T>(
  dataDir: DataDir,
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  // Opening and closing the file by other means would drop this process's POSIX lock. So it is created once, and only
  // SQLite opens it.
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
    // No journal file: the lock holder writes nothing, so a full disk blocks neither stopping the server nor
    // commands.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      return false;
    }
    throw error;
  }
}

/**
 * Lets one process at a time start or stop the server of a data directory. SQLite locks an empty file, because Node has
 * no other file lock. Unlike a file with a process id, the lock is always released by the kernel.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, ensureDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';

const PATIENCE_MS = 240_000;
const POLL_MS = 50;

const SQLITE_BUSY = 5;

export async function withStartMutex<T>(
  dataDir: DataDir,
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  // An existing file must not be opened here: closing it would drop this process's POSIX lock.
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
    // The journal is in memory, because a full disk would prevent a journal file. The lock holder writes nothing.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      return false;
    }
    throw error;
  }
}

/**
 * Keeps the files of a test run in memory if there is room, unless TMPDIR is set. A database has more than 300 files,
 * and a cluster a thousand. On a disk, creating and removing them took half of the processor time of the tests with the
 * embedded server.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '#adapters/embedded-postgres/server/process-table.ts';

const MEMORY = '/dev/shm';

/** Several times the need of one run, because other programs and other runs need memory, too. */
const ROOM_BYTES = 8 * 1024 ** 3;

const NAME = /^fleetsift-tests-(\d+)$/;

/** Sets TMPDIR for all processes of the run. The directory is removed when the process ends. */
export function setup(): void {
  if (process.env.TMPDIR !== undefined || !isThereRoom()) return;
  removeWhatWasLeft();
  const directory = join(MEMORY, `fleetsift-tests-${process.pid}`);
  mkdirSync(directory);
  // Open to all users, like /tmp, because servers run as another user.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

/** A container may have only a little shared memory, or forbid running programs from it. */
function isThereRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, options = 'noexec'] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
    const canRunPrograms = !options.split(',').includes('noexec');
    return canRunPrograms && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Removes the files of killed runs. Servers of a killed run end when they find their files gone. */
function removeWhatWasLeft(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !processExists(Number(pid))) {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
  }
}

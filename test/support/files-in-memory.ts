/**
 * Where a run of the tests keeps its files: in memory, where there is room. A database is more than 300 files, and a
 * cluster a thousand; on a disk, making and removing them took half of the processor time of the embedded server's
 * tests. Where TMPDIR is set, it says where instead.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '#adapters/embedded-postgres/server/process-table.ts';

const MEMORY = '/dev/shm';

/** Several times what lies there at once, as other programs need memory, too, and other runs. */
const ROOM_BYTES = 8 * 1024 ** 3;

const NAME = /^fleetsift-tests-(\d+)$/;

/** Sets TMPDIR for all processes of the run, once; whatever is there goes with this process. */
export function setup(): void {
  if (process.env.TMPDIR !== undefined || !isThereRoom()) return;
  removeWhatWasLeft();
  const directory = join(MEMORY, `fleetsift-tests-${process.pid}`);
  mkdirSync(directory);
  // As every directory for temporary files: servers run under an account of their own.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

/** Not in a container that has a little of it for its processes' shared memory, nor where programs cannot run. */
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

/** A run that was killed removes nothing. Its servers, if they live on, end when they find their files gone. */
function removeWhatWasLeft(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !processExists(Number(pid))) {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
  }
}

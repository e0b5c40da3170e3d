/**
 * A copy of the server's binaries, for accounts that cannot run the installed ones. Its name is random and
 * recorded in the data directory, so others cannot substitute it. The next start after a crash reuses it.
 */
import { chmod, constants, cp, lstat, mkdtemp, opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type DataDir, readDataFile, writeDataFile } from './data-dir.ts';
import { linkLibraries, type NativePackage } from './native-package.ts';

/** Parent directories, in the order tried. `tmpdir()` may forbid executing programs. */
export const COPY_PARENTS: readonly string[] = [...new Set([tmpdir(), '/var/tmp', '/var/lib'])];

const NAME_PREFIX = 'fleetsift-postgres-';

/** Written last, so a copy without it is incomplete. */
const COMPLETE_FILE = 'complete';

/** Copied files get this bit, because systemd-tmpfiles never deletes sticky files. */
const STICKY_BIT = 0o1000;

export async function findRunnableCopy(dataDir: DataDir, native: NativePackage): Promise<string | undefined> {
  const path = await recordedCopy(dataDir);
  if (path === undefined) {
    return undefined;
  }
  const version = await readFile(join(path, COMPLETE_FILE), 'utf8').catch(() => undefined);
  return version === native.version ? join(path, 'native') : undefined;
}

export async function makeRunnableCopy(
  dataDir: DataDir,
  native: NativePackage,
  parent: string,
): Promise<string> {
  await removeRunnableCopy(dataDir);
  const path = await mkdtemp(join(parent, NAME_PREFIX));
  await writeDataFile(dataDir, dataDir.copyRecord, path);
  await cp(join(native.root, 'native'), join(path, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // Static libraries and build files are half of the package, and running needs neither.
    filter: (source) => !source.endsWith('.a') && !['pkgconfig', 'pgxs'].includes(basename(source)),
  });
  await openToEverybody(join(path, 'native'));
  await linkLibraries(native, path);
  await writeFile(join(path, COMPLETE_FILE), native.version);
  await chmod(path, 0o755);
  return join(path, 'native');
}

export async function removeRunnableCopy(dataDir: DataDir): Promise<void> {
  const path = await recordedCopy(dataDir);
  if (path !== undefined) {
    await rm(path, { recursive: true, force: true });
  }
  await rm(dataDir.copyRecord, { force: true });
}

/**
 * Returns undefined unless this user made the copy. The recorded path alone cannot be trusted: after a
 * reboot, others can create a directory of that name in a world-writable parent, and an ordinary user may own
 * the data directory with the record.
 */
async function recordedCopy(dataDir: DataDir): Promise<string | undefined> {
  const path = await readDataFile(dataDir.copyRecord);
  if (
    path === undefined ||
    !basename(path).startsWith(NAME_PREFIX) ||
    !COPY_PARENTS.includes(dirname(path))
  ) {
    return undefined;
  }
  const stats = await lstat(path).catch(() => undefined);
  const isOurs = stats?.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  return isOurs ? path : undefined;
}

/** The package's file modes may exclude the server's account. */
async function openToEverybody(root: string): Promise<void> {
  await chmod(root, 0o755);
  for await (const entry of await opendir(root, { recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) {
      await chmod(path, 0o755);
    } else if (entry.isFile()) {
      await chmod(path, STICKY_BIT | (basename(entry.parentPath) === 'bin' ? 0o755 : 0o644));
    }
  }
}

/**
 * A copy of the installed PostgreSQL in a directory that every account can read, for an account that cannot read
 * the installed one. It is removed when the server stops; after a crash the next start reuses it.
 *
 * Its name is random and recorded in the data directory, so nobody can have put something in its place.
 */
import { chmod, constants, cp, lstat, mkdtemp, opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type DataDir, readDataFile, writeDataFile } from './data-dir.ts';
import { linkLibraries } from './library-links.ts';
import type { NativePackage } from './native-package.ts';

/** Where a copy may be made, best first: the directory for temporary files may refuse to run programs. */
export const COPY_PARENTS: readonly string[] = [...new Set([tmpdir(), '/var/tmp', '/var/lib'])];

const NAME_PREFIX = 'fleetsift-postgres-';

/** Written last, so that a copy without it is half a copy. Holds the version. */
const COMPLETE_FILE = 'complete';

/** Keeps systemd-tmpfiles from clearing the files of a server that has been running for weeks. */
const STICKY_BIT = 0o1000;

/** The copy that an earlier start left, as the directory that holds `bin`; `undefined` if none is usable. */
export async function findRunnableCopy(dataDir: DataDir, native: NativePackage): Promise<string | undefined> {
  const path = await recordedCopy(dataDir);
  if (path === undefined) {
    return undefined;
  }
  const version = await readFile(join(path, COMPLETE_FILE), 'utf8').catch(() => undefined);
  return version === native.version ? join(path, 'native') : undefined;
}

/** Makes a copy below `parent`, replacing any earlier one, and returns the directory that holds its `bin`. */
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
    // Static libraries and build files: the half of the package that no server reads.
    filter: (source) => !source.endsWith('.a') && !['pkgconfig', 'pgxs'].includes(basename(source)),
  });
  await openToEverybody(join(path, 'native'));
  await linkLibraries(native, path);
  await writeFile(join(path, COMPLETE_FILE), native.version);
  await chmod(path, 0o755);
  return join(path, 'native');
}

/** Removes the copy, if there is one. */
export async function removeRunnableCopy(dataDir: DataDir): Promise<void> {
  const path = await recordedCopy(dataDir);
  if (path !== undefined) {
    await rm(path, { recursive: true, force: true });
  }
  await rm(dataDir.copyRecord, { force: true });
}

/**
 * The recorded directory, if it is one that we made: after a reboot its name is free again, for anybody to
 * take in a directory that all may write in, and the record itself may lie in an ordinary user's directory.
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

/** Whatever modes the package was installed with, the account must be able to read the copy, and we to add to it. */
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

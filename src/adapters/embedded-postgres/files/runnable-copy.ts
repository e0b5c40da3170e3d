/**
 * A copy of the binaries for accounts that cannot read the installed ones. It is removed when the server stops; after
 * a crash the next start reuses it. Its name is random and recorded in the data directory, so nobody can substitute
 * it.
 */
import { chmod, constants, cp, lstat, mkdtemp, opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type DataDir, readDataFile, writeDataFile } from './data-dir.ts';
import { linkLibraries, type NativePackage } from './native-package.ts';

/** Candidates, best first: the temporary directory may forbid executing programs. */
export const COPY_PARENTS: readonly string[] = [...new Set([tmpdir(), '/var/tmp', '/var/lib'])];

const NAME_PREFIX = 'fleetsift-postgres-';

/** Written last with the version; a copy without it is incomplete. */
const COMPLETE_FILE = 'complete';

/** systemd-tmpfiles leaves sticky files alone, so long-running servers keep theirs. */
const STICKY_BIT = 0o1000;

/** The `bin` directory of an earlier copy; undefined if none is usable. */
export async function findRunnableCopy(dataDir: DataDir, native: NativePackage): Promise<string | undefined> {
  const path = await recordedCopy(dataDir);
  if (path === undefined) {
    return undefined;
  }
  const version = await readFile(join(path, COMPLETE_FILE), 'utf8').catch(() => undefined);
  return version === native.version ? join(path, 'native') : undefined;
}

/** Makes a copy below `parent`, replaces an earlier one, and returns its `bin` directory. */
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
    // Servers do not need static libraries and build files, half of the package.
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
 * The recorded directory if we made it. After a reboot its name is free for others in a world-writable directory, and
 * the record may lie in an ordinary user's directory.
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

/** The account must be able to read the copy, and we must be able to add to it, whatever modes the package has. */
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

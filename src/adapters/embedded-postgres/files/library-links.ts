/**
 * The symbolic links among the package's libraries (`libpq.so.5` to `libpq.so.5.18`). npm packages cannot hold
 * links, so the package lists them and makes them in its install script, which npm 12 does not run.
 */
import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { NativePackage } from './native-package.ts';

interface LibraryLink {
  /** The existing file and the link's own path, both relative to the package's root. */
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links that are missing below `root`, which is the package's own root or a copy of it. Makes none
 * in a directory that does not let this user: whether the binaries run tells whether they were needed.
 */
export async function linkLibraries(native: NativePackage, root: string): Promise<void> {
  for (const link of await listLinks(native)) {
    const source = join(relative(dirname(link.target), dirname(link.source)), basename(link.source));
    try {
      await symlink(source, join(root, link.target));
    } catch (error) {
      if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) {
        return;
      }
      if (!hasErrorCode(error, 'EEXIST')) {
        throw error;
      }
    }
  }
}

/** A package without a list needs no links. */
async function listLinks(native: NativePackage): Promise<readonly LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(native.root, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) {
      return [];
    }
    throw error;
  }
}

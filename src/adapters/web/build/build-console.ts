/** Builds the console into `dist/console` if its sources have changed. The npm package has only the built console. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const ROOT = join(import.meta.dirname, '../../../..');
const CLIENT = join(import.meta.dirname, '../client');

const SOURCES = ['src/adapters/web', 'src/domain', 'package-lock.json'].map((path) => join(ROOT, path));

export const CONSOLE_DIR = join(ROOT, 'dist/console');

const DIGEST_FILE = 'built-from';

const LICENCES_FILE = 'licences.md';

/** Vite lists only the licenses of scripts, so packages of styles are listed here. */
const IN_STYLES = ['@fontsource-variable/inter'];

/** Smaller files are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1024;

/** Returns the console's directory. `onBuild` is called before a build, which takes some seconds. */
export async function ensureConsole(onBuild: () => void): Promise<string> {
  if (!existsSync(CLIENT)) return CONSOLE_DIR;
  const digest = await digestOf(SOURCES);
  const built = await readFile(join(CONSOLE_DIR, DIGEST_FILE), 'utf8').catch(() => null);
  if (built === digest) return CONSOLE_DIR;
  onBuild();
  // Builds into a separate directory, so another process never reads half a console.
  const fresh = `${CONSOLE_DIR}.${process.pid}`;
  await build(fresh);
  await addLicences(fresh);
  await compress(fresh);
  await writeFile(join(fresh, DIGEST_FILE), digest);
  await mkdir(join(CONSOLE_DIR, '..'), { recursive: true });
  await rm(CONSOLE_DIR, { recursive: true, force: true });
  await rename(fresh, CONSOLE_DIR).catch(async (error: NodeJS.ErrnoException) => {
    await rm(fresh, { recursive: true, force: true });
    // With these codes, another process finished the same build first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return CONSOLE_DIR;
}

async function build(outDir: string): Promise<void> {
  const { build: buildWithVite } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  const given = process.env.NODE_ENV;
  // With `NODE_ENV=test`, the bundle would be slower and 50% larger.
  process.env.NODE_ENV = 'production';
  await buildWithVite({
    root: CLIENT,
    configFile: false,
    // `openConsoleFiles` puts the base path in place of `./` in pages.
    base: './',
    envDir: false,
    logLevel: 'error',
    plugins: [react()],
    publicDir: join(CLIENT, 'public'),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // Inlined files would need `data:` in the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: LICENCES_FILE },
      rolldownOptions: {
        input: ['index.html', 'account-delete.html'].map((name) => join(CLIENT, name)),
        // Marks `app/words` as free of side effects, so each chunk gets only the words that it uses.
        treeshake: { moduleSideEffects: [{ test: /client\/app\/words/, sideEffects: false }] },
      },
    },
  }).finally(() => {
    if (given === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = given;
  });
}

async function addLicences(dir: string): Promise<void> {
  for (const name of IN_STYLES) {
    const directory = join(ROOT, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const text = await readFile(join(directory, 'LICENSE'), 'utf8');
    await appendFile(join(dir, LICENCES_FILE), `\n\n## ${name} - ${version} (${license})\n\n${text}`);
  }
}

async function compress(dir: string): Promise<void> {
  const brotli = promisify(brotliCompress);
  for (const path of await filesIn(dir)) {
    if (!/\.(?:js|css|html|svg|json)$/.test(path)) continue;
    const content = await readFile(path);
    if (content.length < MIN_COMPRESSED_BYTES) continue;
    await writeFile(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}

async function digestOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const path of source.endsWith('.json') ? [source] : await filesIn(source)) {
      hash
        .update(`${relative(ROOT, path)}\0`)
        .update(await readFile(path))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesIn(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

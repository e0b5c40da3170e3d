/**
 * Builds `dist` for `npm pack`: JavaScript with types, the contract suites, and the console. npm runs it before it packs.
 * Types become blanks, so a line and column of the package is that of the source. Source maps only name the source.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CONSOLE_DIR, ensureConsole } from '#adapters/web/build/build-console.ts';
import { packagedFile, VENDORED } from './packaged-file.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** Only types, which the compiler would indent by spaces, twice as long. */
const CLIENT_TYPES = 'src/adapters/api-client/api-paths.d.ts';

/** Not an address: a debugger without a checkout would ask a server for it. */
const SOURCES = 'fleetsift:///';

/** Must stay beside the schema. */
const LICENSE = 'adapters/glpi/document/inventory.schema.LICENSE';

await mkdir(DIST, { recursive: true });
await ensureConsole(() => process.stdout.write('building the console\n'));
const fresh = await mkdtemp(join(DIST, 'fresh-'));
try {
  await compile(join(fresh, 'compiled'));
  await layOut(join(fresh, 'compiled'), join(fresh, 'package'));
  await copyFile(join(ROOT, 'src', LICENSE), join(fresh, 'package', LICENSE));
  await vendor(join(fresh, 'package'));
  await chmod(join(fresh, 'package/bin.js'), 0o755);
  await replace(join(fresh, 'package'));
} finally {
  await rm(fresh, { recursive: true, force: true });
}

async function compile(outDir: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const project = join(ROOT, 'package/tsconfig.json');
  await promisify(execFile)(tsc, ['-p', project, '--outDir', outDir]).catch((error: { stdout: string }) => {
    throw new Error(`the sources do not compile:\n${error.stdout}`);
  });
}

/** Moves compiled files to their places and corrects their references. */
async function layOut(compiled: string, target: string): Promise<void> {
  for (const entry of await readdir(compiled, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const path = from.slice(compiled.length + 1);
    const content = path.endsWith('.js')
      ? await stripped(path.replace(/js$/, 'ts'))
      : await readFile(path === CLIENT_TYPES ? join(ROOT, path.replace(/\.d\.ts$/, '.ts')) : from, 'utf8');
    const file = packagedFile(path, content);
    if (file === null) continue;
    const to = join(target, file.path);
    await mkdir(dirname(to), { recursive: true });
    if (!to.endsWith('.js')) {
      await writeFile(to, file.content);
      continue;
    }
    const map = `${basename(to)}.map`;
    await writeFile(to, `${file.content}//# sourceMappingURL=${map}\n`);
    await writeFile(`${to}.map`, sourceMap(path.replace(/js$/, 'ts'), file.content.split('\n').length));
  }
}

/** Each line is the same line of the source, which is named as in the repository and not included. */
function sourceMap(source: string, lines: number): string {
  const mappings = ['AAAA', ...Array<string>(lines - 1).fill('AACA')].join(';');
  return JSON.stringify({ version: 3, sourceRoot: SOURCES, sources: [source], names: [], mappings });
}

async function stripped(path: string): Promise<string> {
  const source = await readFile(join(ROOT, path), 'utf8');
  const lines = source.split('\n');
  const withBlanks = stripTypeScriptTypes(source).split('\n');
  return withBlanks.map((line, i) => (line === lines[i] ? line : line.trimEnd())).join('\n');
}

/** npm would install TypeScript as well, in production too, wherever a consumer develops with it: a peer of valibot. */
async function vendor(target: string): Promise<void> {
  for (const [name, path] of Object.entries(VENDORED)) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(target, dirname(path))];
    await mkdir(to, { recursive: true });
    for (const file of ['dist/index.mjs', 'LICENSE.md']) {
      await copyFile(join(from, file), join(to, basename(file)));
    }
    // Comments are a third of the types, and nobody reads them there.
    const types = await readFile(join(from, 'dist/index.d.mts'), 'utf8');
    await writeFile(join(to, 'index.d.mts'), types.replace(/\n?[ \t]*\/\*\*.*?\*\//gs, ''));
  }
}

/** Removes the last build except the console. File systems rename a folder atomically. */
async function replace(built: string): Promise<void> {
  const kept = [basename(CONSOLE_DIR), basename(dirname(built))];
  for (const name of await readdir(DIST)) {
    if (!kept.includes(name)) await rm(join(DIST, name), { recursive: true, force: true });
  }
  for (const name of await readdir(built)) await rename(join(built, name), join(DIST, name));
}

/** Copies the parts of this repository that the embedded server needs. */
import { chmod, copyFile, cp, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { FIXTURE } from './server-user.ts';

export interface CheckoutCopy {
  readonly checkout: string;
  readonly node: string;
  /** The libraries of the copied PostgreSQL. */
  readonly libraries: string;
}

const NATIVE_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Resolves links, so none leads out of the copy. */
export async function copyCheckout(directory: string): Promise<CheckoutCopy> {
  const checkout = join(directory, 'checkout');
  const node = join(checkout, 'node');
  await mkdir(checkout, { recursive: true });
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  for (const path of ['package.json', 'src/domain', 'src/adapters/embedded-postgres', FIXTURE]) {
    await cp(path, join(checkout, path), { recursive: true });
  }
  for (const [name, root] of await findPackages(['pg', NATIVE_PACKAGE])) {
    await cp(root, join(checkout, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  }
  return { checkout, node, libraries: join(checkout, 'node_modules', NATIVE_PACKAGE, 'native', 'lib') };
}

/** By name, with all dependencies. */
async function findPackages(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const wanted = names.map((name) => ({ name, from: import.meta.filename }));
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (!found.has(next.name)) {
      const root = packageRoot(next.name, next.from);
      const manifest = join(root, 'package.json');
      found.set(next.name, root);
      const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'));
      wanted.push(...Object.keys(dependencies).map((name) => ({ name, from: manifest })));
    }
  }
  return found;
}

/** The directory above the main entry that has the package's name. */
function packageRoot(name: string, from: string): string {
  let directory = dirname(createRequire(from).resolve(name));
  while (!join(dirname(directory), basename(directory)).endsWith(join('node_modules', name))) {
    directory = dirname(directory);
  }
  return directory;
}

/** Programs of an embedder, each in a new Node process. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the module writes to standard output; `directory` is where it resolves packages from. */
export async function runModule(directory: string, source: string, node = process.execPath): Promise<string> {
  return runNode(directory, ['--input-type=module', '--eval', source], node);
}

export async function runNode(
  directory: string,
  args: readonly string[],
  node = process.execPath,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'silent', ...variables };
  const { stdout } = await run(node, args, { cwd: directory, env, maxBuffer: 1 << 26 });
  return stdout;
}

export interface OtherNode {
  readonly path: string;
  readonly version: string;
}

/** The oldest Node of this machine that is 20 or newer. If there is no other, it is the Node of the tests. */
export async function findOldestNode(): Promise<OtherNode> {
  const paths = [process.execPath, ...globSync(['/usr/bin/node', '/usr/local/bin/node', '/opt/*/bin/node'])];
  const found = await Promise.all(
    paths.map(async (path) => ({ path, version: (await run(path, ['--version'])).stdout.trim().slice(1) })),
  );
  const usable = found.filter(({ version }) => Number.parseInt(version, 10) >= 20);
  const [oldest] = usable.toSorted((a, b) => Number.parseInt(a.version, 10) - Number.parseInt(b.version, 10));
  if (oldest === undefined) throw new Error('this machine has no Node of 20 or newer');
  return oldest;
}

/**
 * The package as others have it: packed by npm once for a run of these tests, and unpacked into an empty project
 * elsewhere. No registry is asked: the project has the packages that ours depends on, and no others.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import packageJson from '../../package.json' with { type: 'json' };

declare module 'vitest' {
  interface ProvidedContext {
    /** What npm packs. */
    readonly tarball: string;
    /** A project with the package and its dependencies. */
    readonly project: string;
    /** A project with the package and nothing else. */
    readonly bareProject: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-package-'));
  const tarball = await pack(directory);
  const [project, bareProject] = [join(directory, 'project'), join(directory, 'bare')];
  for (const path of [project, bareProject]) await install(tarball, path);
  const { dependencies, optionalDependencies, peerDependencies } = packageJson;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    await link(name, project);
  }
  provide('tarball', tarball);
  provide('project', project);
  provide('bareProject', bareProject);
  return () => rm(directory, { recursive: true, force: true });
}

async function pack(directory: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  // The output of the build comes first.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as [{ readonly filename: string }];
  return join(directory, packed.filename);
}

async function install(tarball: string, project: string): Promise<void> {
  const target = join(project, 'node_modules/fleetsift');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'embedder', type: 'module' }));
}

async function link(name: string, project: string): Promise<void> {
  const target = join(project, 'node_modules', name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), target);
}

/** A process loads only the modules that it needs. Each process lists what it loads. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '../..');
const LIST_MODULES = join(import.meta.dirname, 'fixtures/list-modules.ts');
const EMBEDDER = join(import.meta.dirname, 'fixtures/embed-library.ts');
const PROGRAM = join(ROOT, 'src/main.ts');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-modules-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

interface Loaded {
  readonly stdout: string;
  /** Adapters of ours, by folder name. */
  readonly adapters: ReadonlySet<string>;
  /** Dependencies of ours, by name. */
  readonly packages: ReadonlySet<string>;
  /** Files of ours, from the root of the repository. */
  readonly files: readonly string[];
}

/** The package has a copy of some development dependencies. */
const OURS = { ...packageJson.dependencies, ...packageJson.devDependencies };

async function modulesOf(...args: readonly string[]): Promise<Loaded> {
  const list = join(directory, 'loaded.txt');
  await writeFile(list, '');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', LIST_MODULES, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, LOADED_MODULES: list },
  });
  const urls = (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
  const paths = urls.map((url) => fileURLToPath(url));
  const files = paths.filter((path) => !path.includes('/node_modules/')).map((path) => relative(ROOT, path));
  const packages = paths.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    stdout,
    files,
    adapters: new Set(files.flatMap((file) => /^src\/adapters\/([^/]+)\//.exec(file)?.[1] ?? [])),
    packages: new Set(packages.filter((name) => name in OURS)),
  };
}

describe.each([[['--help']], [['--version']], [['mail', 'retry', '--help']]])('fleetsift %j', (args) => {
  test('loads the command line and the configuration, and nothing of the service', async () => {
    const { stdout, adapters, packages, files } = await modulesOf(PROGRAM, ...args);
    expect(stdout).toMatch(/Usage: fleetsift|^\d+\.\d+\.\d+\n$/);
    expect([...adapters].sort()).toStrictEqual(['cli', 'system']);
    expect([...packages].sort()).toStrictEqual(['commander', 'reflect-metadata', 'tsyringe', 'valibot']);
    // Makes the audit entry of a command that changes something: pure, and a page long.
    const records = ['src/application/audit/make-entry.ts'];
    expect(files.filter((file) => /^src\/application\/(?!ports\/)/.test(file))).toStrictEqual(records);
  });
});

test('importing the library loads the composition root and no adapter but clock, ids and configuration', async () => {
  const { adapters, packages } = await modulesOf('--input-type=module', '--eval', "import './src/main.ts'");
  expect([...adapters]).toStrictEqual(['system']);
  expect([...packages].sort()).toStrictEqual(['reflect-metadata', 'tsyringe', 'valibot']);
});

/** What only metrics, traces and the OpenAPI document need. */
const ON_DEMAND = ['prom-client', '@opentelemetry/sdk-trace', '@valibot/to-json-schema'];

test('a service on a supplied backend loads no PostgreSQL, no command line, demo or import', async () => {
  const { stdout, adapters, packages, files } = await modulesOf(EMBEDDER);
  expect(stdout).toBe('200\n');
  expect([...adapters].sort()).toStrictEqual([
    'auth',
    'http',
    'memory',
    'postgres',
    'postgres-regex',
    'system',
  ]);
  expect(files.filter((file) => file.startsWith('src/adapters/postgres/'))).toStrictEqual([
    // Explains errors of PostgreSQL, which the supplied backend may use, too; it imports nothing.
    'src/adapters/postgres/database-error.ts',
  ]);
  for (const unused of [
    'pg',
    '@mikro-orm/core',
    '@mikro-orm/postgresql',
    'commander',
    'nodemailer',
    'ajv',
    ...ON_DEMAND,
  ]) {
    expect(packages).not.toContain(unused);
  }
});

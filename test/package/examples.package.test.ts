/** Every example of the package runs as an embedder would run it: copied out of the package, in a project of theirs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { serveApp } from '#adapters/http/serve.ts';
import { rolloutBucket } from '#domain/filter/values/rollout-bucket.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import { createMemoryBackend } from '../../src/exports/memory.ts';
import { compose } from '../../src/main.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { aDevice, anAlert, anApiKey, anOrganization, aPartner, aUser, newId } from '../support/builders.ts';
import { loadFleet } from '../support/tenant.ts';
import { findOldestNode, runNode } from './run-node.ts';

const ROOT = join(import.meta.dirname, '../..');
const project = inject('project');
const bareProject = inject('bareProject');
const examples = join(project, 'examples');
const FOLLOWING = { timeout: 60_000 };

beforeAll(() => {
  for (const directory of [project, bareProject]) {
    cpSync(join(directory, 'node_modules/fleetsift/examples'), join(directory, 'examples'), {
      recursive: true,
    });
  }
});

test('every example has a test', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  const programs = globSync(['*.{js,ts,html}', '*/*.test.ts'], { cwd: examples });
  expect(programs.length).toBeGreaterThan(4);
  for (const program of programs) expect(source).toContain(`'${program}'`);
});

test('the evaluator in ten lines runs in Node', async () => {
  const { path } = await findOldestNode();
  const program = join(bareProject, 'examples', 'evaluator.js');
  expect(await runNode(bareProject, [program], path)).toBe('till-7\nnever-seen\n');
});

test('the example of a device with every member runs', async () => {
  expect(await runNode(project, [join(examples, 'plain-device.ts')])).toBe('true\n');
});

test('the evaluator runs in a page in Chromium', async () => {
  const url = await serveFolder(bareProject);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: unknown[] = [];
  page.on('pageerror', (error) => problems.push(error));
  await page.goto(`${url}/examples/${'evaluator.html'}`);
  await page.locator('li').first().waitFor();
  expect(await page.locator('li').allTextContents()).toStrictEqual(['srv-1']);
  expect(problems).toStrictEqual([]);
});

test.each([
  ['deployment-engine.ts', 'PUT /installations/'],
  ['sync-group.ts', 'PUT /members/'],
])('%s follows a filter', async (program, call) => {
  const { backend, service, url, orgId, key } = await serveOrganization();
  const worker = service.startWorker({
    ...{ sendMail: async () => ({ result: 'sent' }), baseUrl: url, intervalMs: 100 },
  });
  onTestFinished(() => worker.stop(0));
  const [till, kiosk] = ['till-7', 'kiosk'].map((hostname) => aDevice({ orgId, hostname, tags: ['vip'] }));
  await loadFleet(backend, [till as DeviceRecord]);
  const conditions = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };
  const made = await fetch(`${url}/api/v1/filters`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'VIP', orgId, conditions }),
  });
  const { id } = (await made.json()) as { id: string };
  const calls: string[] = [];
  const target = await serve((path, response, method) => {
    calls.push(`${method} ${path}`);
    response.end('[]');
  });
  const child = spawn(process.execPath, [join(examples, program)], {
    cwd: project,
    env: {
      ...{ PATH: process.env.PATH, FLEETSIFT_URL: url, FLEETSIFT_KEY: key, FILTER: id },
      ...{ INSTALLER_URL: target, GROUP_URL: target, STATE_FILE: join(project, `${program}.json`) },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await vi.waitUntil(() => calls.includes(call + till?.id), FOLLOWING);
  await loadFleet(backend, [kiosk as DeviceRecord]);
  await vi.waitUntil(() => calls.includes(call + kiosk?.id), FOLLOWING);
});

test("a matcher over somebody else's store keeps the contract of the port", async () => {
  linkPackage('vitest');
  const report = join(project, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const suite = join(examples, 'own-store/asset-matcher.test.ts');
  const args = ['run', '--root', project, '--reporter=json', `--outputFile=${report}`, suite];
  await runNode(project, [vitest, ...args]).catch(() => undefined);
  const { success, numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults
    .flatMap(
      ({ assertionResults }: { assertionResults: { status: string; fullName: string }[] }) =>
        assertionResults,
    )
    .filter(({ status }: { status: string }) => status !== 'passed');
  expect(failed).toStrictEqual([]);
  expect(success).toBe(true);
  expect(numPassedTests).toBe(numTotalTests);
  expect(numTotalTests).toBeGreaterThan(300);
});

test.each([
  ['mounted-service.ts', [], 'hello from the application around it'],
  ['express-service.ts', ['express'], 'hello from Express'],
  ['fastify-service.ts', ['fastify'], 'hello from Fastify'],
])(
  'the service runs mounted in another application, and answers a client: %s',
  async (program, packages, hello) => {
    for (const name of packages) linkPackage(name);
    const { url, stop } = await runExample(program);
    expect(await (await fetch(`${url}/hello`)).text()).toBe(hello);
    const headers = { 'X-API-Key': `fsk_${'A'.repeat(43)}`, 'Content-Type': 'application/json' };
    const filters = await fetch(`${url}/fleet/api/v1/filters`, { headers });
    expect(filters.status).toBe(200);
    const { data } = (await filters.json()) as { data: { name: string; conditions: unknown }[] };
    expect(data).toMatchObject([{ name: 'Windows' }]);
    const body = JSON.stringify({ conditions: data[0]?.conditions });
    const preview = await fetch(`${url}/fleet/api/v1/filters/preview`, { method: 'POST', headers, body });
    expect(await preview.json()).toMatchObject({ data: { totalCount: 1 } });
    expect((await fetch(`${url}/fleet/api/v1/filters`)).status).toBe(401);
    const client = { FLEETSIFT_URL: `${url}/fleet`, FLEETSIFT_KEY: headers['X-API-Key'] };
    const said = await runNode(project, [join(examples, 'client.ts')], process.execPath, client);
    expect(said).toBe('saved Tills\ntill-7\n');
    expect(await stop()).toStrictEqual([0, null]);
  },
);

test('tokens of another service are verified with its keys', async () => {
  linkPackage('jose');
  const [{ privateKey, publicKey }, stranger] = [
    await generateKeyPair('ES256'),
    await generateKeyPair('ES256'),
  ];
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] };
  const issuer = await serve((_url, response) => response.end(JSON.stringify(jwks)));
  const sub = '0194ec09-0000-7000-8000-0000000000aa';
  const org_id = '0194ec09-0000-7000-8000-0000000000bb';
  const signed = (key: CryptoKey, audience = 'fleetsift', expires: string | number = '5m') =>
    new SignJWT({ org_id, scope: 'devices:write' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(sub)
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(key);
  const { url, stop } = await runExample('host-jwt.ts', { JWKS_URL: `${issuer}/jwks.json`, ISSUER: issuer });
  const me = (token: string) =>
    fetch(`${url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${token}` } });
  const answer = await me(await signed(privateKey));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    ...{ id: sub, name: null, scope: 'organization', orgId: org_id, permissions: ['devices:write'] },
  });
  for (const token of [
    await signed(stranger.privateKey),
    await signed(privateKey, 'another'),
    await signed(privateKey, 'fleetsift', 1),
    'no.token.atall',
  ]) {
    expect((await me(token)).status).toBe(401);
  }
  expect(await stop()).toStrictEqual([0, null]);
});

test('the console runs below a product with its own sign-in, and learns of people as they arrive', async () => {
  for (const name of ['jose', 'hono']) linkPackage(name);
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] };
  const issuer = await serve((_url, response) => response.end(JSON.stringify(jwks)));
  const sub = '0194ec09-0000-7000-8000-0000000000aa';
  const org_id = '0194ec09-0000-7000-8000-000000000002';
  const token = await new SignJWT({
    org_id,
    email: 'ada@contoso.example',
    name: 'Ada Byron',
    scope: 'users:write',
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setSubject(sub)
    .setIssuer(issuer)
    .setAudience('fleetsift')
    .setExpirationTime('5m')
    .sign(privateKey);
  const env = { JWKS_URL: `${issuer}/jwks.json`, ISSUER: issuer };
  const { url, stop } = await runExample('host-console.ts', env);

  const renew = `${url}/fleet/api/v1/auth/session/refresh`;
  expect((await fetch(renew, { method: 'POST' })).status).toBe(401);
  expect((await fetch(renew, { method: 'POST', headers: { Cookie: 'portal_session=forged' } })).status).toBe(
    401,
  );
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${url}/fleet/devices`);
  expect(page.url()).toBe(`${url}/sign-in`);
  await page.context().addCookies([{ name: 'portal_session', value: token, url, httpOnly: true }]);
  await page.goto(`${url}/fleet/devices`);
  await page.getByText('till-7').first().waitFor();
  await page.goto(`${url}/fleet/people`);
  await page.getByRole('table', { name: 'People' }).getByText('Ada Byron').waitFor();

  const me = await fetch(`${url}/fleet/api/v1/auth/me`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ id: sub, name: 'Ada Byron', orgId: org_id });
  // The row is there for names; nobody can sign in with it.
  const body = JSON.stringify({ email: 'ada@contoso.example', password: '' });
  const headers = { 'Content-Type': 'application/json' };
  const signIn = await fetch(`${url}/fleet/api/v1/auth/login`, { method: 'POST', headers, body });
  expect(signIn.status).toBe(401);
  expect(await stop()).toStrictEqual([0, null]);
});

test.each([
  [
    'continues to all rings',
    false,
    ['ring of 5 %: 1 to update', 'ring of 25 %: 2 to update', 'ring of 100 %: 3 to update', 'done'],
  ],
  [
    'stops when alerts rise',
    true,
    ['ring of 5 %: 1 to update', 'stopped: devices with critical alerts rose from 0 to 1'],
  ],
])('a staged rollout %s', async (_what, isAlarmed, lines) => {
  const { backend, url, orgId, key } = await serveOrganization();
  const outdated = (bucketBelow: number, given: Partial<DeviceRecord> = {}) =>
    aDevice({
      id: idInRing(bucketBelow),
      orgId,
      software: [{ name: 'Google Chrome', version: '129.0' }],
      ...given,
    });
  const first = outdated(5, { deviceRole: 'workstation' });
  await loadFleet(backend, [
    ...[first, outdated(25), outdated(100), outdated(5, { deviceRole: 'server' })],
    aDevice({ id: idInRing(5), orgId, software: [{ name: 'Google Chrome', version: '130.0' }] }),
  ]);
  const child = spawn(process.execPath, [join(examples, 'staged-rollout.ts')], {
    cwd: project,
    env: {
      ...{ PATH: process.env.PATH, FLEETSIFT_URL: url, FLEETSIFT_KEY: key },
      ...{ LOOK_MS: '20', WATCH_MS: isAlarmed ? '600000' : '0' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  if (isAlarmed) {
    await once(child.stdout, 'data');
    await loadFleet(backend, [
      anAlert({ orgId, deviceId: first.id, severity: 'critical', status: 'active' }),
    ]);
  }
  expect(await once(child, 'close')).toStrictEqual([isAlarmed ? 1 : 0, null]);
  expect(said.join('').trimEnd().split('\n')).toStrictEqual(lines);
  const saved = await fetch(`${url}/api/v1/filters`, { headers: { 'X-API-Key': key } });
  const { data } = (await saved.json()) as { data: { conditions: unknown }[] };
  const last = { field: 'rollout.bucket', operator: 'lessThan', value: isAlarmed ? 0 : 100 };
  expect(data).toMatchObject([{ conditions: { conditions: expect.arrayContaining([last]) } }]);
});

/** A service in memory with an organization, and a key of one of its users. */
async function serveOrganization() {
  const backend = createMemoryBackend();
  const service = await compose({ databaseUrl: null, logLevel: 'silent' }, { backend });
  const server = await serveApp(service.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close(0);
    await service.close();
  });
  const partner = aPartner();
  const organization = anOrganization({ partnerId: partner.id });
  const { id: orgId } = organization;
  const user = aUser({ membership: { scope: 'organization', orgId }, permissions: ['devices:write'] });
  const key = `fsk_${'A'.repeat(43)}`;
  const apiKey = anApiKey({ userId: user.id, key, permissions: ['devices:write'] });
  await loadFleet(backend, [partner, organization, user, apiKey]);
  return { backend, service, url: server.url, orgId, key };
}

/** An id in the ring of this size, and in none of the smaller ones. */
function idInRing(percent: number): DeviceId {
  const smaller = { 5: 0, 25: 5, 100: 25 }[percent] ?? 0;
  for (;;) {
    const id = newId<'device'>();
    const bucket = rolloutBucket(id);
    if (bucket >= smaller && bucket < percent) return id;
  }
}

/** Starts a program that says where it listens. */
async function runExample(program: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(examples, program)], {
    cwd: project,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = await once(child.stdout, 'data');
  const [, url = ''] = /listening at (\S+)/.exec(String(chunk)) ?? [];
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { url, stop };
}

/** Installs a package as the host would, unless another test has done so. */
function linkPackage(name: string): void {
  const target = join(project, 'node_modules', name);
  if (!existsSync(target)) symlinkSync(join(ROOT, 'node_modules', name), target);
}

/** The address of a server of the files in a folder. */
function serveFolder(directory: string): Promise<string> {
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' };
  return serve((url, response) => {
    const path = join(directory, normalize(new URL(url, 'http://localhost').pathname));
    const type = types[path.split('.').at(-1) ?? ''];
    if (type === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': type }).end(readFileSync(path));
  });
}

async function serve(
  answer: (url: string, response: ServerResponse, method?: string) => void,
): Promise<string> {
  const server = createServer(({ url = '/', method }, response) => answer(url, response, method));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

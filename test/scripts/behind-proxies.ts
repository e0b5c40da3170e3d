/**
 * Two instances behind nginx or Caddy with the configuration that `docs/deployment` has, under load, while each is
 * stopped and started again in turn: `node test/scripts/behind-proxies.ts nginx` or `caddy`. Counts what clients see,
 * and checks what a proxy may spoil: an export that streams, and the client's address in the log. With `--take-out`,
 * nginx is told beforehand that an instance goes down. CI does not run this script, because it has no proxy. Exits with
 * 1 if anything is wrong.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { printRecord } from '#adapters/load/print-record.ts';
import { aDevice, anApiKey, anOrganization, aPartner, aUser } from '#test/support/builders.ts';
import { type RunningService, ServiceUnderTest } from '../end-to-end/service-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '200' },
    drain: { type: 'string', default: '5' },
    'take-out': { type: 'boolean', default: false },
  },
});
const DEVICES = 5_000;
/** An address of this machine that is not the proxy's, for the client. */
const CLIENT = '127.0.0.9';
const FEW = { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: 'host-7' }] };
const deployment = resolve(import.meta.dirname, '../../docs/deployment');

interface Answer {
  readonly status: number;
  readonly body: string;
  /** The number of pieces in which the body came. */
  readonly pieces: number;
}

const proxies: Readonly<Record<string, () => Promise<ChildProcess>>> = {
  nginx: startNginx,
  caddy: startCaddy,
};
const startProxy = proxies[positionals[0] ?? ''];
if (startProxy === undefined) {
  process.stderr.write('name the proxy: nginx or caddy\n');
  process.exit(1);
}
if (values['take-out'] && positionals[0] !== 'nginx') {
  process.stderr.write('--take-out is for nginx: Caddy sees by itself that an instance goes down\n');
  process.exit(1);
}

interface Ports {
  readonly proxy: number;
  readonly plain: number;
  readonly instances: readonly [number, number];
}

const directory = await mkdtemp(join(tmpdir(), 'fleetsift-proxy-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'data') });
const ports: Ports = {
  proxy: await freePort(),
  plain: await freePort(),
  instances: [await freePort(), await freePort()],
};
const program = await ServiceUnderTest.create({
  DATABASE_URL: postgres.url,
  DB_POOL: '20',
  LOG_LEVEL: 'info',
  DRAIN_SECONDS: values.drain,
  TRUSTED_PROXIES: '127.0.0.1,::1',
  BASE_URL: `https://localhost:${ports.proxy}`,
});
const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
const organization = anOrganization({ partnerId: aPartner().id });
const user = aUser({ membership: { scope: 'organization', orgId: organization.id } });
const key = anApiKey({ userId: user.id });
let proxy: ChildProcess | undefined;
try {
  await loadFleet();
  const start = (port: number) => program.start({ PORT: String(port) });
  const instances = [await start(ports.instances[0]), await start(ports.instances[1])];
  proxy = await startProxy();
  await lookAtExport(instances);
  const tally = new Map<string, number>();
  const load = new AbortController();
  const loaded = keepAsking(tally, load.signal);
  for (let round = 0; round < Number(values.rounds) * 2; round++) {
    const turn = round % 2;
    await sleep(3_000);
    if (values['take-out']) await tellNginx(proxy, `127.0.0.1:${ports.instances[turn as 0 | 1]};`);
    const outcome = await instances[turn]?.stop();
    if (outcome?.code !== 0) fail(`an instance ended with ${outcome?.code}: ${outcome?.stderr}`);
    instances[turn] = await start(ports.instances[turn as 0 | 1]);
    if (values['take-out']) await tellNginx(proxy);
  }
  // nginx does not use an instance for ten seconds after it has failed.
  await sleep(3_000);
  load.abort();
  await loaded;
  for (const [outcome, count] of [...tally].toSorted()) {
    process.stdout.write(`${count}\t${outcome}\n`);
    // On a machine that is too slow for the rate, instances answer 429.
    if (!/^\w+ (200|429)/.test(outcome)) process.exitCode = 1;
  }
} finally {
  agent.destroy();
  if (proxy !== undefined) {
    proxy.kill('SIGTERM');
    if (proxy.exitCode === null) await once(proxy, 'exit');
  }
  await program.dispose();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

function fail(message: string): void {
  process.stdout.write(`${message}\n`);
  process.exitCode = 1;
}

async function loadFleet(): Promise<void> {
  const partner = { ...aPartner(), id: organization.partnerId };
  const devices = Array.from({ length: DEVICES }, (_, i) =>
    aDevice({ orgId: organization.id, hostname: `host-${i}`, status: i % 10 === 0 ? 'online' : 'offline' }),
  );
  const file = join(directory, 'fleet.ndjson');
  await writeFile(file, [partner, organization, user, key, ...devices].map(printRecord).join(''));
  const { code, stderr } = await program.run(['load', file]);
  if (code !== 0) throw new Error(stderr);
}

/** Checks that an export streams, and that its client's address is in the log. */
async function lookAtExport(instances: readonly RunningService[]): Promise<void> {
  const { status, body, pieces } = await ask('POST', '/api/v1/devices/export', { format: 'csv' });
  const rows = body.trimEnd().split('\n').length - 1;
  process.stdout.write(`export: ${status}, ${rows} rows in ${pieces} pieces\n`);
  if (status !== 200 || rows !== DEVICES || pieces < 3) fail('the export did not come as it was made');
  await sleep(200);
  const line = instances.flatMap(({ output }) =>
    output()
      .split('\n')
      .filter((text) => text.includes('/devices/export')),
  );
  if (!line.some((text) => text.includes(`"ip":"${CLIENT}"`))) fail(`not the client's address: ${line}`);
}

/** Asks at the given rate, whether or not earlier requests were answered. */
async function keepAsking(tally: Map<string, number>, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let asked = 0; !signal.aborted; asked++) {
    const isPreview = asked % 2 === 0;
    const answered = (
      isPreview ? ask('POST', '/api/v1/filters/preview', { conditions: FEW }) : ask('GET', '/api/v1/auth/me')
    ).then(
      ({ status, body }) => {
        const said = status === 200 ? '' : ` ${/"detail":"([^"]*)/.exec(body)?.[1]}`;
        note(tally, `${isPreview ? 'POST' : 'GET'} ${status}${said}`);
      },
      (error: Error) => note(tally, `${isPreview ? 'POST' : 'GET'} ${error.message}`),
    );
    underWay.add(answered);
    void answered.finally(() => underWay.delete(answered));
    await sleep(Math.max(0, startedAt + ((asked + 1) * 1_000) / Number(values.rate) - performance.now()));
  }
  await Promise.all(underWay);
}

function note(tally: Map<string, number>, outcome: string): void {
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
}

async function ask(method: string, path: string, body?: object): Promise<Answer> {
  const asked = request({
    ...{ host: 'localhost', family: 4, port: ports.proxy, localAddress: CLIENT, agent, method, path },
    headers: { 'X-API-Key': key.key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return { status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString(), pieces: pieces.length };
}

/** The printed configuration with this run's host name, ports and second instance. */
async function printed(name: string): Promise<string> {
  const text = await readFile(join(deployment, name), 'utf8');
  return text
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.instances[0]}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.instances[1]}`);
}

async function startNginx(): Promise<ChildProcess> {
  const [certificate, privateKey] = [join(directory, 'tls.pem'), join(directory, 'tls.key')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=localhost', '-keyout', privateKey, '-out', certificate],
  ]);
  const site = (await printed('nginx.conf'))
    .replaceAll('fleetsift.example.com', 'localhost')
    .replace('/etc/ssl/fleetsift/fullchain.pem', certificate)
    .replace('/etc/ssl/fleetsift/privkey.pem', privateKey)
    .replace('listen 443', `listen 127.0.0.1:${ports.proxy}`)
    .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replace(/^( *)# (server 127)/m, '$1$2');
  const file = join(directory, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log stderr warn; events {}
     http { access_log off; ${temporary.join(' ')}\n${site}\n}`,
  );
  return listening(spawn('nginx', ['-c', file], { stdio: ['ignore', 'ignore', 'inherit'] }));
}

/** Marks the server with the address `down` as down, and no other, and makes nginx read the configuration again. */
async function tellNginx(nginx: ChildProcess | undefined, down?: string): Promise<void> {
  const file = join(directory, 'nginx.conf');
  const text = (await readFile(file, 'utf8')).replaceAll(' down;', ';');
  await writeFile(file, down === undefined ? text : text.replace(down, `${down.slice(0, -1)} down;`));
  nginx?.kill('SIGHUP');
  await sleep(1_000);
}

async function startCaddy(): Promise<ChildProcess> {
  const site = (await printed('Caddyfile'))
    .replace('fleetsift.example.com', `localhost:${ports.proxy}`)
    .replace(/(reverse_proxy \S+)/, `$1 127.0.0.1:${ports.instances[1]}`);
  const file = join(directory, 'Caddyfile');
  // For the name localhost, Caddy makes the certificate itself.
  await writeFile(file, `{\n\tadmin off\n\thttp_port ${ports.plain}\n\tskip_install_trust\n}\n${site}`);
  const env = { PATH: process.env.PATH, HOME: directory };
  return listening(
    spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

async function listening(child: ChildProcess): Promise<ChildProcess> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask('GET', '/readyz').catch(() => null);
    if (answer?.status === 200) return child;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error('the proxy does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A real PgBouncer in transaction mode in front of the server of the run, for the project `pooler`. The many
 * connections of a service take turns on its few connections to the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where PgBouncer listens; only in the project `pooler`. */
    poolerPort: number;
  }
}

/** Its paths on Debian and elsewhere, because the directories of daemons may not be in the PATH. */
const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** For each role and database, fewer than one instance of the service uses at once. */
export const SERVER_CONNECTIONS = 6;

/** The id of `nobody`, because PgBouncer refuses to run as root. */
const NOBODY = 65_534;

const PATIENCE_MS = 20_000;

interface Pooler {
  readonly port: number;
  readonly close: () => Promise<void>;
}

let pooler: Pooler | undefined;

export async function setup(project: TestProject): Promise<void> {
  pooler = await startPooler(project.getProvidedContext().databaseUrl);
  project.provide('poolerPort', pooler.port);
}

export async function teardown(): Promise<void> {
  await pooler?.close();
}

/** A PgBouncer in front of the server at this address, with further lines of its configuration. */
export async function startPooler(databaseUrl: string, furtherLines = ''): Promise<Pooler> {
  const program = await findProgram();
  const server = new URL(databaseUrl);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-pgbouncer-'));
  const configuration = join(directory, 'pgbouncer.ini');
  const users = join(directory, 'users.txt');
  await writeFile(configuration, `${configurationFor(server, port, users)}${furtherLines}\n`);
  await writeFile(
    users,
    `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [directory, configuration, users]) await chown(path, NOBODY, NOBODY);
  const child = spawn(program, ['-q', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  await untilItAnswers(pooledUrl(server.href, port));
  return {
    port,
    close: async () => {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** How the service connects to the database at `url`: through the pooler, if the project has one. */
export function wayTo(url: string): { readonly url: string; readonly databasePooler: 'transaction' | null } {
  const port = inject('poolerPort') as number | undefined;
  return port === undefined
    ? { url, databasePooler: null }
    : { url: pooledUrl(url, port), databasePooler: 'transaction' };
}

export function pooledUrl(url: string, port: number): string {
  const pooled = new URL(url);
  pooled.hostname = '127.0.0.1';
  pooled.port = String(port);
  return pooled.href;
}

async function findProgram(): Promise<string> {
  for (const program of PROGRAMS) if (await stat(program).catch(() => null)) return program;
  throw new Error(
    'These tests need PgBouncer, and it is not installed: apt-get install --no-install-recommends pgbouncer',
  );
}

/** As in `docs/scaling.md`: PgBouncer asks the server for the roles that the service creates. */
function configurationFor({ hostname, port, username }: URL, ownPort: number, users: string): string {
  return `
[databases]
* = host=${hostname} port=${port === '' ? 5432 : port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 1000
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${decodeURIComponent(username)}
auth_query = select usename, passwd from pg_shadow where usename = $1
log_connections = 0
log_disconnections = 0
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function untilItAnswers(url: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (performance.now() >= end) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

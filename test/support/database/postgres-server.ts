/**
 * One PostgreSQL for a run of the tests: the server that TEST_DATABASE_URL names, else a container if an engine
 * answers, else the embedded server. Its address names a superuser, and each test file creates databases on it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { createTemplate, type FreshDatabase } from './fresh-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's connection string of the server that the tests share. */
    databaseUrl: string;
    /** The name of a migrated database on the server, to copy. */
    templateDatabase: string;
  }
}

interface TestServer {
  readonly url: string;
  readonly description: string;
  stop(): Promise<void>;
}

const CONTAINER_IMAGE = 'postgres:18';
const ENGINE_PROBE_TIMEOUT_MS = 1_000;

/**
 * No data of the tests outlives the server, so nothing has to be durable. Several files at once, some with several
 * instances, may need more connections than one installation. All other settings are as in production.
 */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

let server: TestServer | undefined;
let template: FreshDatabase | undefined;

/** Starts the server, prints which one it is, and provides it and its template to the tests. */
export async function setup(project: TestProject): Promise<void> {
  server = await startServer();
  process.stdout.write(`PostgreSQL of this run: ${server.description}\n`);
  const { name, ...created } = await createTemplate(server.url);
  template = created;
  project.provide('databaseUrl', server.url);
  project.provide('templateDatabase', name);
}

/** Stops what `setup` started, and removes its data. */
export async function teardown(): Promise<void> {
  await template?.drop();
  await server?.stop();
}

async function startServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    return { url: given, description: 'the server that TEST_DATABASE_URL names', stop: async () => {} };
  }
  return (await doesContainerEngineAnswer()) ? await startContainer() : await startEmbedded();
}

/** Asks the socket or address of the engine, because a client program may be installed without an engine. */
function doesContainerEngineAnswer(): Promise<boolean> {
  const host = new URL(process.env.DOCKER_HOST || 'unix:///var/run/docker.sock');
  const target =
    host.protocol === 'unix:'
      ? { socketPath: host.pathname }
      : { host: host.hostname, port: Number(host.port || 2375) };
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: ENGINE_PROBE_TIMEOUT_MS });
    ping.on('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.on('close', () => resolve(false));
    ping.end();
  });
}

async function startContainer(): Promise<TestServer> {
  // Loaded only when needed, because it loads slowly.
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(CONTAINER_IMAGE).start();
  return {
    url: container.getConnectionUri(),
    description: `a container of ${CONTAINER_IMAGE}`,
    stop: async () => {
      await container.stop();
    },
  };
}

async function startEmbedded(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-test-server-'));
  const embedded = await startEmbeddedPostgres({ dataDir, settings: TEST_SETTINGS });
  return {
    url: embedded.url,
    description: 'the embedded one',
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

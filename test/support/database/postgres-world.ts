/** A backend on a new database that tests can also query directly, as the owner and as either role. */
import { Client, type ClientConfig } from 'pg';
import { inject } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import {
  openPostgresBackend,
  type PostgresBackend,
  type PostgresBackendOptions,
} from '#adapters/postgres/postgres-backend.ts';
import { connectionConfig } from '#adapters/postgres/setup/connections/connection-config.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { createMigratedDatabase } from './fresh-database.ts';
import { wayTo } from './pooler.ts';

export type WorldRole = 'owner' | 'app' | 'reader';

export interface PostgresWorld {
  readonly url: string;
  readonly backend: PostgresBackend;
  /** How to connect as a role, with the settings that every connection of the service has. */
  connection(role: WorldRole, settings?: Readonly<Record<string, string>>): ClientConfig;
  /** Runs a statement as a role on a new connection, and returns its rows. */
  query<R extends object>(role: WorldRole, sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** Runs `work` on one connection as a role. */
  connected<T>(role: WorldRole, work: (client: Client) => Promise<T>): Promise<T>;
  /** Closes the backend and drops the database. */
  close(): Promise<void>;
}

/** Options of every backend under test, except its address. */
export const BACKEND_OPTIONS: Omit<PostgresBackendOptions, 'url'> = {
  migrate: true,
  filterTimeoutMs: 2_000,
  clock: systemClock,
  newId: uuidV7,
  hashPassword: async (password) => `hash of ${password}`,
  digestSecret,
  makeSecretBox,
};

export async function createPostgresWorld(
  adminUrl: string,
  options: Partial<PostgresBackendOptions> = {},
): Promise<PostgresWorld> {
  const database = await createMigratedDatabase(adminUrl, inject('templateDatabase'));
  const { url } = database;
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, ...wayTo(url), ...options });
  const { roles } = await provisionDatabase({ url, migrate: false, secretNames: [] });
  const connection: PostgresWorld['connection'] = (role, settings = {}) =>
    connectionConfig(url, {
      applicationName: `test ${role}`,
      settings,
      ...(role !== 'owner' && { as: roles[role] }),
    });
  const connected: PostgresWorld['connected'] = async (role, work) => {
    const client = new Client(connection(role));
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    url,
    backend,
    connection,
    connected,
    query: async <R extends object>(role: WorldRole, sql: string, values: readonly unknown[] = []) =>
      connected(role, async (client) => (await client.query<R>(sql, [...values])).rows),
    close: async () => {
      await backend.close();
      await database.drop();
    },
  };
}

/**
 * A client for a pooler in transaction mode (Contract: §15, DATABASE_POOLER). Session state would leak to
 * another client, so statements have no names, and every transaction applies the settings.
 */
import { Client, type ClientConfig, escapeLiteral, type Pool, type QueryConfig, type QueryResult } from 'pg';
import type { DatabaseConnection } from './connection-config.ts';

export type ClientClass = new (config?: ClientConfig) => Client;

const BEGINS = /^(begin|start transaction)\b/;
const ENDS = /^(commit|rollback)$/;

/**
 * The id of the server process that runs each connection's transaction; null between transactions. The id
 * that the driver knows is the pooler's.
 */
const processes = new WeakMap<Client, number | null>();

export function serverProcessOf(client: Client): number | null {
  const known = processes.get(client);
  return known === undefined ? (client as Client & { readonly processID: number | null }).processID : known;
}

export function pooledClient(settings: Readonly<Record<string, string>>): ClientClass {
  const enter = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = ${escapeLiteral(value)}`,
  );
  return class extends Client {
    constructor(config?: ClientConfig) {
      super(config);
      processes.set(this, null);
      const send = this.query.bind(this) as (...sent: unknown[]) => unknown;
      const begin = async (text: string) => {
        const sent = send([text, ...enter, 'select pg_backend_pid() as pid'].join('; '));
        const results = (await sent) as readonly QueryResult<{ pid: number }>[];
        processes.set(this, results.at(-1)?.rows[0]?.pid ?? null);
        return results[0];
      };
      this.query = ((query: unknown, ...others: unknown[]) => {
        if (typeof query !== 'string') {
          return send(isNamed(query) ? { ...query, name: undefined } : query, ...others);
        }
        if (BEGINS.test(query)) return begin(query);
        if (ENDS.test(query)) processes.set(this, null);
        return send(query, ...others);
      }) as typeof this.query;
    }
  };
}

function isNamed(query: unknown): query is QueryConfig {
  return typeof query === 'object' && query !== null && 'name' in query;
}

export async function runAlone(pool: Pool, statement: QueryConfig): Promise<void> {
  if ((pool.options as DatabaseConnection).isPooled !== true) {
    await pool.query(statement);
    return;
  }
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(statement);
    await client.query('commit');
    client.release();
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(true);
    throw error;
  }
}

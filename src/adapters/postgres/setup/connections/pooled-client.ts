/**
 * The driver's connection by way of a pooler in transaction mode (Contract: §15, DATABASE_POOLER): whatever outlives a
 * transaction would be found by somebody else, or by nobody. So no statement keeps a name, and a connection's settings
 * are those of each of its transactions.
 */
import { Client, type ClientConfig, escapeLiteral, type Pool, type QueryConfig, type QueryResult } from 'pg';
import type { DatabaseConnection } from './connection-config.ts';

export type ClientClass = new (config?: ClientConfig) => Client;

const BEGINS = /^(begin|start transaction)\b/;
const ENDS = /^(commit|rollback)$/;

/** Which of the server's processes has a connection's transaction; null between two. A pooler says something else. */
const processes = new WeakMap<Client, number | null>();

/** The id of the server process that serves the connection; null if unknown. */
export function serverProcessOf(client: Client): number | null {
  const known = processes.get(client);
  return known === undefined ? (client as Client & { readonly processID: number | null }).processID : known;
}

/** Connections whose transactions have these settings; statements outside of any have the server's. */
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
        // In one message.
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

/** Runs a statement outside any other transaction, with the settings of the pool's connections. */
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

/**
 * Transactions of `pg` within an access scope. Everything in one is subject to row-level security for that scope;
 * MikroORM's counterpart is `transactional/orm.ts`.
 */
import type { Pool, PoolClient } from 'pg';
import { letTakeTime } from '#adapters/postgres/setup/connections/watched-client.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

/**
 * Runs the work as one transaction on one connection and returns its result. The transaction commits unless
 * `shouldCommit` rejects the result. When anything throws, it rolls back, and the connection is closed rather than
 * reused.
 */
export async function withScope<T>(
  pool: Pool,
  scope: AccessScope,
  work: (client: PoolClient) => Promise<T>,
  shouldCommit: (result: T) => boolean = () => true,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await enterScope(client, scope);
    const result = await work(client);
    await client.query(shouldCommit(result) ? 'commit' : 'rollback');
    release(client, true);
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    release(client, false);
    throw error;
  }
}

/** Sets the scope until the transaction ends, in one round trip. */
async function enterScope(client: PoolClient, scope: AccessScope): Promise<void> {
  const variables = Object.entries(sessionVariables(scope));
  const settings = variables.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
  await client.query(`select ${settings.join(', ')}`, variables.flat());
}

/** Lets everything up to the end of the transaction take as long as it needs. */
export async function liftLimits(client: PoolClient): Promise<void> {
  letTakeTime(client, true);
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
    await client.query(`set local ${setting} = 0`);
  }
}

/** Back to the pool, or closed if it is not to be reused. */
function release(client: PoolClient, isReusable: boolean): void {
  letTakeTime(client, false);
  client.release(!isReusable);
}

/**
 * Streams what the work yields, as of one moment, from one connection that changes nothing. Whoever takes it may stop at
 * any time, and take as long as they like.
 */
export async function* streamInSnapshot<T>(
  pool: Pool,
  scope: AccessScope,
  work: (client: PoolClient) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    await enterScope(client, scope);
    await liftLimits(client);
    yield* work(client);
    await client.query('commit');
    isDone = true;
  } finally {
    // Without its end the connection is closed, and its snapshot with it.
    release(client, isDone);
  }
}

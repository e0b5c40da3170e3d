/** Transactions on `pg` connections under row-level security. Those of MikroORM are in `transactional/orm.ts`. */
import type { Pool, PoolClient } from 'pg';
import { type LockName, lockNumber } from '#adapters/postgres/lock-number.ts';
import { letTakeTime } from '#adapters/postgres/setup/connections/watched-client.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

export interface TransactionOptions<T> {
  /** Default: the server's isolation level. */
  readonly isolation?: 'repeatable read';
  readonly mayTakeTime?: boolean;
  readonly shouldCommit?: (result: T) => boolean;
}

/** Commits unless the work throws or `shouldCommit` rejects the result. */
export async function withScope<T>(
  pool: Pool,
  scope: AccessScope,
  work: (client: PoolClient) => Promise<T>,
  { isolation, mayTakeTime = false, shouldCommit = () => true }: TransactionOptions<T> = {},
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`);
    await enterScope(client, scope);
    if (mayTakeTime) await liftLimits(client);
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

async function enterScope(client: PoolClient, scope: AccessScope): Promise<void> {
  const variables = Object.entries(sessionVariables(scope));
  const settings = variables.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
  await client.query(`select ${settings.join(', ')}`, variables.flat());
}

/** Tries a lock that all instances share, and holds it until the transaction ends. */
export async function tryLock(client: PoolClient, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ is_held: boolean }>(
    'select pg_try_advisory_xact_lock($1) as is_held',
    [lock],
  );
  return rows[0]?.is_held === true;
}

export async function tryLockOf(client: PoolClient, name: LockName, owner: string): Promise<boolean> {
  const { rows } = await client.query<{ is_held: boolean }>(
    'select pg_try_advisory_xact_lock($1::int, hashtext($2)) as is_held',
    [lockNumber(name), owner],
  );
  return rows[0]?.is_held === true;
}

export async function liftLimits(client: PoolClient): Promise<void> {
  letTakeTime(client, true);
  await client.query(
    `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
  );
}

function release(client: PoolClient, isReusable: boolean): void {
  letTakeTime(client, false);
  client.release(!isReusable);
}

/** Streams from one read-only snapshot. The consumer may stop at any time and take as long as it needs. */
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
    // An unfinished transaction ends because its connection is closed.
    release(client, isDone);
  }
}

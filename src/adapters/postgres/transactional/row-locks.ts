/** Row locks held until the transaction ends. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { UserId } from '#domain/ids.ts';
import { UserRow } from './entities/user-row.ts';

/** Only without `fields`: after a partial `refresh`, MikroORM takes all other columns for changed. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/** The user's row, whatever its status; null if there is none. Waits for other lock holders. */
export async function holdUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  // Reading the row again would lose an unflushed change.
  await em.flush();
  // Raw: MikroORM offers only `for update`, which also blocks inserts that refer to the user. Two people whose
  // deletion requests send mail to each other would deadlock.
  const [row] = await em.execute<object[]>('select * from app_user where id = ? for no key update', [userId]);
  return row === undefined ? null : em.map(UserRow, row);
}

/** Like {@link holdUser}; null if the user is not active. */
export async function holdActiveUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  const user = await holdUser(em, userId);
  return user?.status === 'active' ? user : null;
}

/** A load holds its rows until it ends, which can take minutes. */
const MAX_LOCK_WAIT = '5s';

/**
 * Takes a lock. This and later statements of the transaction wait at most `MAX_LOCK_WAIT`, then throw
 * `DatabaseBusyError`, so waiting does not use up connections.
 */
export async function lockSoon<T>(em: EntityManager, take: () => Promise<T>): Promise<T> {
  await em.flush();
  await em.execute(`set local lock_timeout = '${MAX_LOCK_WAIT}'`);
  try {
    return await take();
  } catch (error) {
    const isTimeout = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
    throw isTimeout ? new DatabaseBusyError() : error;
  }
}

/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';

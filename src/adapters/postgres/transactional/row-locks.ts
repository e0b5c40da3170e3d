/** Managed rows that are held, as they are now, until the transaction ends. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { UserId } from '#domain/ids.ts';
import { UserRow } from './entities/user-row.ts';

/** `for update`. Only without `fields`: a partial `refresh` would make MikroORM take all other columns for changed. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/** The user's row, whatever its status; null if there is none. Waits for others who hold or change it. */
export async function holdUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  // The row is read again, which would lose a change that is not flushed yet.
  await em.flush();
  // Raw, because MikroORM's only lock for writers is `for update`. That one also blocks inserts that refer to the
  // user, so that two people whose deletion requests send mail to each other would deadlock.
  const [row] = await em.execute<object[]>('select * from app_user where id = ? for no key update', [userId]);
  return row === undefined ? null : em.map(UserRow, row);
}

/** As {@link holdUser}; null if the user is not active. */
export async function holdActiveUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  const user = await holdUser(em, userId);
  return user?.status === 'active' ? user : null;
}

/** How long a change waits for whoever holds what it needs. A load holds its rows until it ends, for minutes even. */
const MAX_LOCK_WAIT = '5s';

/**
 * Takes a lock, for which this and later statements of the transaction wait for at most `MAX_LOCK_WAIT`. Throws
 * `DatabaseBusyError` if it is not to be had in that time, so that nobody keeps a connection from others meanwhile.
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

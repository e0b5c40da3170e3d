/** Managed rows that are held, as they are now, until the transaction ends. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UserId } from '#domain/ids.ts';
import { UserRow } from './entities/user-row.ts';

/** For whole rows only: `refresh` with a choice of `fields` would take all others for changed. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/** The user's row, whatever its status; null if there is none. Others who hold or change it are waited for. */
export async function holdUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  // The row is read afresh, and a change of it that is not flushed would be lost.
  await em.flush();
  // Raw, because `for update` is the only lock for writers that MikroORM has. It would also stop inserts that refer
  // to the user, and two users whose requests send mail to each other would deadlock.
  const [row] = await em.execute<object[]>('select * from app_user where id = ? for no key update', [userId]);
  return row === undefined ? null : em.map(UserRow, row);
}

/** As {@link holdUser}; null if the user is not active. */
export async function holdActiveUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  const user = await holdUser(em, userId);
  return user?.status === 'active' ? user : null;
}

/** Two transactions use one refresh token at the same moment. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { aSession, aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const transact = <T>(work: (tx: Transaction) => Promise<T>) => world.backend.unitOfWork(SYSTEM_SCOPE, work);

async function addSession(token: string) {
  const user = aUser();
  await loadFleet(world.backend, [user]);
  const session = aSession({ userId: user.id });
  await transact((tx) => tx.sessions.add(session, token));
  return session;
}

test('a refresh token is in use until the first transaction ends, and used from then on', async () => {
  const token = `token-${newId()}`;
  const session = await addSession(token);
  const look = () => transact((tx) => tx.sessions.findRefreshToken(token));
  await transact(async (tx) => {
    await tx.sessions.findRefreshToken(token);
    expect(await look()).toBe('in-use');
    await tx.sessions.rotate(session, { used: token, next: `${token}-next` }, SOME_INSTANT);
    expect(await look()).toBe('in-use');
  });
  expect(await look()).toMatchObject({ usedAt: SOME_INSTANT });
});

test('looking up an older token of the session waits, and does not find it in use', async () => {
  const token = `token-${newId()}`;
  const session = await addSession(token);
  await transact((tx) => tx.sessions.rotate(session, { used: token, next: `${token}-next` }, SOME_INSTANT));
  const replay = await transact(async (tx) => {
    await tx.sessions.findRefreshToken(`${token}-next`);
    return { outcome: transact((other) => other.sessions.findRefreshToken(token)) };
  });
  expect(await replay.outcome).toMatchObject({ usedAt: SOME_INSTANT });
});

/** A transaction loses nothing between managed rows and plain statements. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import {
  aSavedFilter,
  aSession,
  aUser,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { aCancelledRequest, aPendingRequest } from '#test/support/deletions.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const transact = <T>(work: (tx: Transaction) => Promise<T>) => world.backend.unitOfWork(SYSTEM_SCOPE, work);

async function addUser() {
  const user = aUser({ totpSecret: 'JBSWY3DPEHPK3PXP' });
  await loadFleet(world.backend, [user]);
  return user;
}

test('an enrollment that begins in the transaction that completed another is kept', async () => {
  const { id } = await addUser();
  const next = { secret: 'NEXT', startedAt: SOME_INSTANT + 1 };
  await transact((tx) => tx.mfa.startEnrollment(id, { secret: 'FIRST', startedAt: SOME_INSTANT }));
  await transact(async (tx) => {
    await tx.mfa.findEnrollment(id);
    await tx.mfa.completeEnrollment(id, { secret: 'FIRST', step: 5, recoveryCodeSha256s: [] });
    await tx.mfa.startEnrollment(id, next);
  });
  expect(await transact((tx) => tx.mfa.findEnrollment(id))).toStrictEqual(next);
});

test('a step that was taken in the same transaction is replaced by that of the new factor', async () => {
  const { id } = await addUser();
  await transact((tx) => tx.mfa.takeStep(id, 5));
  await transact(async (tx) => {
    await tx.mfa.findFactor(id);
    await tx.mfa.takeStep(id, 9);
    await tx.mfa.completeEnrollment(id, { secret: 'NEW', step: 5, recoveryCodeSha256s: [] });
  });
  expect(await transact((tx) => tx.mfa.takeStep(id, 6))).toBe(true);
});

test('a deletion request can follow one that the same transaction cancelled', async () => {
  const user = await addUser();
  const first = aPendingRequest({ userId: user.id, orgId: null, partnerId: null });
  const second = aPendingRequest({ ...first, id: newId() });
  await transact((tx) => tx.deletions.add(first));
  await transact(async (tx) => {
    await tx.deletions.advance('pending', aCancelledRequest({ ...first, status: 'cancelled' }));
    await tx.deletions.add(second);
  });
  expect(await world.backend.deletionRequests.findLatestOf(user.id)).toStrictEqual(second);
});

test('a session that the same transaction ended is removed when the next one is added', async () => {
  const { id: userId } = await addUser();
  const [token, next] = [`token-${newId()}`, `token-${newId()}`];
  const session = aSession({ userId, createdAt: SOME_INSTANT });
  await transact((tx) => tx.sessions.add(session, token));
  await transact(async (tx) => {
    await tx.sessions.end(session.id, SOME_INSTANT);
    await tx.sessions.add(aSession({ userId, createdAt: SOME_INSTANT + 3_600_000 }), next);
  });
  expect(await transact((tx) => tx.sessions.findRefreshToken(token))).toBeNull();
  expect(await transact((tx) => tx.sessions.findRefreshToken(next))).toMatchObject({ usedAt: null });
});

test('a filter that the same transaction replaced can be removed', async () => {
  const { orgId, userId } = await createTenant(world.backend);
  const filter = aSavedFilter({ orgId, createdBy: userId });
  await transact((tx) => tx.filters.add(filter));
  await world.backend.unitOfWork(orgScope(orgId), async (tx) => {
    await tx.filters.replace({ ...filter, name: 'Renamed', version: 2 });
    await tx.filters.remove(filter.id);
  });
  expect(await world.backend.filters.find(SYSTEM_SCOPE, filter.id)).toBeNull();
});

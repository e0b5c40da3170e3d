/** The back office: when it erases, what it keeps, and how a request that fails affects others. */
import { describe, expect, test } from 'vitest';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import type { PersonName } from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';
import { type DeletionWorld, makeDeletionWorld } from './deletion-world.ts';

async function approve(world: DeletionWorld, ...names: readonly PersonName[]) {
  const requests = [];
  for (const name of names) {
    const request = await world.submit(name, 'I have left');
    const by = await world.callBy(name === 'system' ? 'staff of P' : 'system');
    await world.deletions.processDeletion(by, request.id, async () =>
      ok({ action: 'approve', adminNote: 'as asked' }),
    );
    requests.push(request);
    world.moveClockTo(world.now() + 1_000);
  }
  world.takeEntries();
  await world.takeMails();
  return requests;
}

const statusOf = async (world: DeletionWorld, id: DeletionRequestId) =>
  (await world.backend.deletionRequests.find(SYSTEM_SCOPE, id))?.request.status;

test('a request is completed on time, and not a millisecond early', async () => {
  const world = await makeDeletionWorld();
  const [request] = await approve(world, 'of A');
  const id = request?.id as DeletionRequestId;
  const processBy = request?.processBy ?? 0;
  world.moveClockTo(processBy - 1);
  expect(await world.completeDeletions()).toStrictEqual({ completed: 0, failed: 0 });
  expect(await statusOf(world, id)).toBe('processing');
  world.moveClockTo(processBy);
  expect(await world.completeDeletions()).toStrictEqual({ completed: 1, failed: 0 });
  expect(await statusOf(world, id)).toBe('completed');
  expect(await world.completeDeletions()).toStrictEqual({ completed: 0, failed: 0 });
});

test('an erased person gets a mail at their last address, and the system audits the erasure', async () => {
  const world = await makeDeletionWorld();
  const { id: userId, email, name } = world.staff.people['staff of P'];
  const [request] = await approve(world, 'staff of P');
  world.moveClockTo(request?.processBy ?? 0);
  await world.completeDeletions();
  expect(await world.backend.principals.findUser(userId)).toBeNull();
  expect(await world.takeMails()).toStrictEqual([
    {
      kind: 'deletion-completed',
      requestId: request?.id,
      to: { userId, email, name },
      facts: { completedAt: world.now() },
    },
  ]);
  const [entry, ...others] = world.takeEntries();
  expect(others).toStrictEqual([]);
  expect(entry).toStrictEqual({
    at: world.now(),
    actor: { type: 'system', id: null },
    orgId: null,
    partnerId: world.staff.p,
    action: 'user.account_deletion.completed',
    result: 'success',
    resourceType: 'account_deletion_request',
    resourceId: request?.id,
    details: { userId },
    requestId: world.backend.auditEntries().at(-1)?.id,
    ip: null,
  });
  expect(
    await world.backend.deletionRequests.find(SYSTEM_SCOPE, request?.id as DeletionRequestId),
  ).toMatchObject({
    request: { status: 'completed', reason: null, verdict: { note: null } },
    user: { id: userId, email: null, name: null },
  });
});

test('a pending, cancelled or rejected request is never completed', async () => {
  const world = await makeDeletionWorld();
  const pending = await world.submit('of A');
  const cancelled = await world.submit('of B');
  await world.deletions.cancelDeletion(await world.callBy('of B'), cancelled.id, 'cancelled');
  const rejected = await world.submit('of C');
  await world.deletions.processDeletion(await world.callBy('system'), rejected.id, async () =>
    ok({ action: 'reject', adminNote: 'no' }),
  );
  world.moveClockTo(pending.processBy * 2);
  expect(await world.completeDeletions()).toStrictEqual({ completed: 0, failed: 0 });
});

test('several workers at once complete each request once', async () => {
  const world = await makeDeletionWorld();
  const requests = await approve(world, 'of A', 'of B', 'of C', 'staff of P', 'staff of Q');
  world.moveClockTo(requests.at(-1)?.processBy ?? 0);
  const tallies = await Promise.all(Array.from({ length: 4 }, () => world.completeDeletions()));
  expect(tallies.reduce((sum, { completed }) => sum + completed, 0)).toBe(5);
  expect(await world.takeMails()).toHaveLength(5);
  expect(world.takeEntries()).toHaveLength(5);
});

test('no request is begun once the worker is told to stop', async () => {
  const world = await makeDeletionWorld();
  const requests = await approve(world, 'of A', 'of B');
  world.moveClockTo(requests.at(-1)?.processBy ?? 0);
  expect(await world.completeDeletions(AbortSignal.abort())).toStrictEqual({ completed: 0, failed: 0 });
  expect(await world.completeDeletions()).toStrictEqual({ completed: 2, failed: 0 });
});

describe('a request that cannot be carried out', () => {
  /** Fails the erasure of people in the set. */
  function poison(poisoned: ReadonlySet<string>) {
    return (unitOfWork: UnitOfWork): UnitOfWork =>
      (scope, work) =>
        unitOfWork(scope, (tx) =>
          work({
            ...tx,
            eraseAccount: async (userId) => {
              await tx.eraseAccount(userId);
              if (poisoned.has(userId)) {
                throw Object.assign(new TypeError(`cannot erase ${userId}@example.com`), { code: 'XX000' });
              }
            },
          }),
        );
  }

  test('is set aside and logged, and does not hold up others', async () => {
    const poisoned = new Set<string>();
    const world = await makeDeletionWorld({ changeWork: poison(poisoned) });
    const [bad, good] = await approve(world, 'of A', 'of B');
    poisoned.add(world.staff.people['of A'].id);
    const id = bad?.id as DeletionRequestId;
    world.moveClockTo(good?.processBy ?? 0);
    expect(await world.completeDeletions()).toStrictEqual({ completed: 1, failed: 1 });
    expect(await statusOf(world, id)).toBe('processing');
    expect(await world.backend.principals.findUser(world.staff.people['of A'].id)).not.toBeNull();
    expect(world.takeEntries()).toHaveLength(1);
    expect(await world.takeMails()).toHaveLength(1);
    expect(world.errors).toMatchObject([
      {
        facts: {
          deletionRequestId: id,
          failures: 1,
          nextAttemptAt: new Date(world.now() + 60_000).toISOString(),
          problem: 'TypeError (XX000)',
        },
        message: 'an account could not be erased; it will be retried',
      },
    ]);
    expect(JSON.stringify(world.errors)).not.toContain('@example.com');
    expect(JSON.stringify(world.errors)).toContain('complete-deletions.test.ts');
  });

  test('is tried again after growing delays until it works', async () => {
    const poisoned = new Set<string>();
    const world = await makeDeletionWorld({ changeWork: poison(poisoned) });
    const [bad] = await approve(world, 'of A');
    poisoned.add(world.staff.people['of A'].id);
    world.moveClockTo(bad?.processBy ?? 0);
    for (const minutes of [1, 5, 30, 120, 360, 360]) {
      expect(await world.completeDeletions()).toStrictEqual({ completed: 0, failed: 1 });
      expect(await world.completeDeletions()).toStrictEqual({ completed: 0, failed: 0 });
      world.moveClockTo(world.now() + minutes * 60_000);
    }
    poisoned.clear();
    expect(await world.completeDeletions()).toStrictEqual({ completed: 1, failed: 0 });
  });

  test('differs from a failing store, whose error reaches the worker', async () => {
    const failure = new Error('the store is gone');
    const world = await makeDeletionWorld({
      changeWork: (unitOfWork) => (scope, work) =>
        unitOfWork(scope, (tx) =>
          work({ ...tx, deletions: { ...tx.deletions, claimDue: () => Promise.reject(failure) } }),
        ),
    });
    await expect(world.completeDeletions()).rejects.toBe(failure);
    expect(world.errors).toStrictEqual([]);
  });
});

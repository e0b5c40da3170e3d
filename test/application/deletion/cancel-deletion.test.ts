/** Canceling a request: who may, until when, and the audit entries. */
import { expect, test } from 'vitest';
import { err, ok } from '#domain/result.ts';
import { newId } from '#test/support/builders.ts';
import { makeDeletionWorld } from './deletion-world.ts';

test('the owner cancels a pending request, and no mail is sent', async () => {
  const world = await makeDeletionWorld();
  const request = await world.submit('of A', 'I have left');
  world.takeEntries();
  await world.takeMails();
  world.moveClockTo(world.now() + 5_000);
  const cancelled = { ...request, status: 'cancelled', verdict: null, updatedAt: world.now() };
  expect(
    await world.deletions.cancelDeletion(await world.callBy('of A'), request.id, 'cancelled'),
  ).toStrictEqual(ok(cancelled));
  expect(await world.deletions.readOwnDeletion(await world.callBy('of A'))).toStrictEqual({
    pending: null,
    latest: cancelled,
    showsReason: true,
  });
  expect(world.takeEntries()).toMatchObject([
    {
      actor: { type: 'user', id: request.userId },
      action: 'user.account_deletion.cancelled',
      result: 'success',
      resourceId: request.id,
      orgId: world.staff.a,
    },
  ]);
  expect(await world.takeMails()).toStrictEqual([]);
});

test('canceling a request needs no MFA', async () => {
  const world = await makeDeletionWorld();
  const { id } = await world.submit('of A');
  const call = await world.callBy('of A', { mfa: 'none' });
  expect((await world.deletions.cancelDeletion(call, id, 'cancelled')).ok).toBe(true);
});

test.each(['of B', 'staff of P', 'system'] as const)(
  'another caller (%s) does not find the request, and the attempt is audited',
  async (name) => {
    const world = await makeDeletionWorld();
    const { id } = await world.submit('of A');
    world.takeEntries();
    const call = await world.callBy(name);
    const answer = await world.deletions.cancelDeletion(call, id, 'cancelled');
    expect(answer).toMatchObject(err({ code: 'not_found' }));
    expect(await world.deletions.cancelDeletion(call, newId(), 'cancelled')).toStrictEqual(answer);
    expect(world.takeEntries()).toMatchObject([
      {
        action: 'user.account_deletion.cancelled',
        result: 'denied',
        resourceId: id,
        details: { reason: 'not_found' },
      },
      { action: 'user.account_deletion.cancelled', result: 'denied', details: { reason: 'not_found' } },
    ]);
  },
);

test.each([
  ['cancelled', null],
  ['approved', 'approve'],
  ['rejected', 'reject'],
])('canceling a request that was %s is refused and audited', async (_how, action) => {
  const world = await makeDeletionWorld();
  const { id } = await world.submit('of A');
  if (action === null) await world.deletions.cancelDeletion(await world.callBy('of A'), id, 'cancelled');
  else {
    await world.deletions.processDeletion(await world.callBy('staff of P'), id, async () =>
      ok({ action, adminNote: 'decided' }),
    );
  }
  const before = await world.backend.deletionRequests.find({ kind: 'system' }, id);
  world.takeEntries();
  const answer = await world.deletions.cancelDeletion(await world.callBy('of A'), id, 'cancelled');
  expect(answer).toMatchObject(err({ code: 'conflict' }));
  expect(await world.backend.deletionRequests.find({ kind: 'system' }, id)).toStrictEqual(before);
  expect(world.takeEntries()).toMatchObject([{ result: 'denied', details: { reason: 'conflict' } }]);
});

test.each([undefined, null, 'pending', 'processing', 'completed', 'Cancelled', ['cancelled'], true])(
  'only the status cancelled can be set, and %j is refused',
  async (status) => {
    const world = await makeDeletionWorld();
    const { id } = await world.submit('of A');
    world.takeEntries();
    const answer = await world.deletions.cancelDeletion(await world.callBy('of A'), id, status);
    expect(answer).toMatchObject(err({ code: 'validation_failed', errors: [{ path: 'status' }] }));
    expect(world.takeEntries()).toStrictEqual([]);
  },
);

/** Reminders of requests that nobody has decided: to whom, when, and once. */
import { expect, test } from 'vitest';
import { makeReminderJob } from '#application/deletion/mail-reviewers.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { ok } from '#domain/result.ts';
import type { PersonName } from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { aUser, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type DeletionWorld, makeDeletionWorld } from './deletion-world.ts';

const WEEK_MS = 7 * 86_400_000;

const RUNNING = { stopping: new AbortController().signal, aborting: new AbortController().signal };

const remind = ({ backend, now }: DeletionWorld, unitOfWork: UnitOfWork = backend.unitOfWork) =>
  makeReminderJob({ unitOfWork, clock: now }).run(RUNNING);

/** A pending request whose first mails are sent, seven days before it is due. */
async function aDueRequest(world: DeletionWorld, name: PersonName = 'of A') {
  const request = await world.submit(name, 'I have left');
  await world.takeMails();
  world.moveClockTo(request.processBy - WEEK_MS);
  return request;
}

const recipientsOf = async (world: DeletionWorld) =>
  (await world.takeMails()).map(({ kind, to }) => [kind, to.userId]);

test('administrators are reminded once of a request that is still pending seven days before it is due', async () => {
  const world = await makeDeletionWorld();
  const { people } = world.staff;
  const request = await aDueRequest(world, 'of B');
  world.moveClockTo(request.processBy - WEEK_MS - 1);
  await remind(world);
  expect(await world.takeMails()).toStrictEqual([]);
  world.moveClockTo(request.processBy - WEEK_MS);
  world.takeEntries();
  await remind(world);
  const { id: userId, email, name } = people['of B'];
  const { id, email: address, name: addressee } = people['staff of P'];
  expect(await world.takeMails()).toStrictEqual([
    {
      kind: 'deletion-reminder',
      requestId: request.id,
      to: { userId: id, email: address, name: addressee },
      facts: {
        requester: { userId, email, name },
        reason: 'I have left',
        requestedAt: request.requestedAt,
        processBy: request.processBy,
      },
    },
  ]);
  expect(world.takeEntries()).toStrictEqual([]);
  world.moveClockTo(request.processBy + WEEK_MS);
  await remind(world);
  expect(await world.takeMails()).toStrictEqual([]);
});

test('the people of this moment are reminded, not those of the first mail', async () => {
  const world = await makeDeletionWorld();
  await aDueRequest(world);
  const membership = { scope: 'organization', orgId: world.staff.a } as const;
  const colleague = aUser({ membership, permissions: ['users:write'] });
  await loadFleet(world.backend, [colleague]);
  await remind(world);
  expect(await recipientsOf(world)).toStrictEqual([['deletion-reminder', colleague.id]]);
});

test('nobody is reminded of a request that was decided or cancelled', async () => {
  const world = await makeDeletionWorld();
  const cancelled = await aDueRequest(world);
  await world.deletions.cancelDeletion(await world.callBy('of A'), cancelled.id, 'cancelled');
  world.moveClockTo(cancelled.requestedAt);
  const approved = await aDueRequest(world, 'of B');
  await world.deletions.processDeletion(await world.callBy('staff of P'), approved.id, async () =>
    ok({ action: 'approve', adminNote: undefined }),
  );
  await world.takeMails();
  await remind(world);
  expect(await world.takeMails()).toStrictEqual([]);
});

test('four workers at once remind of each request once', async () => {
  const world = await makeDeletionWorld();
  for (const name of ['of A', 'of B', 'of C'] as const) await world.submit(name);
  await world.takeMails();
  world.moveClockTo(world.now() + 4 * WEEK_MS);
  await Promise.all(Array.from({ length: 4 }, () => remind(world)));
  const { people } = world.staff;
  const told = ['staff of P', 'staff of P', 'staff of P in A', 'staff of Q'] as const;
  expect((await recipientsOf(world)).map(([, userId]) => userId).toSorted()).toStrictEqual(
    told.map((name) => people[name].id as string).toSorted(),
  );
});

test('a reminder whose mails cannot all be queued is repeated as a whole', async () => {
  const world = await makeDeletionWorld();
  const { people } = world.staff;
  await aDueRequest(world);
  let queued = 0;
  const failing: UnitOfWork = (scope, work) =>
    world.backend.unitOfWork(scope, (tx) =>
      work({
        ...tx,
        mail: async (mail) => {
          if (++queued === 2) throw new Error('the database is gone');
          await tx.mail(mail);
        },
      }),
    );
  await expect(remind(world, failing)).rejects.toThrow('the database is gone');
  expect(await world.takeMails()).toStrictEqual([]);
  await remind(world);
  expect((await recipientsOf(world)).toSorted()).toStrictEqual(
    (['staff of P', 'staff of P in A'] as const)
      .map((name) => ['deletion-reminder', people[name].id])
      .toSorted(),
  );
});

test('a request of somebody who is erased already holds up no other', async () => {
  const world = await makeDeletionWorld();
  const { people } = world.staff;
  await world.submit('of A');
  await aDueRequest(world, 'of B');
  await world.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(people['of A'].id));
  await remind(world);
  expect(await recipientsOf(world)).toStrictEqual([['deletion-reminder', people['staff of P'].id]]);
});

test('no reminder is begun once the worker is told to stop', async () => {
  const world = await makeDeletionWorld();
  await aDueRequest(world);
  const { unitOfWork } = world.backend;
  const stopping = AbortSignal.abort();
  await makeReminderJob({ unitOfWork, clock: world.now }).run({ stopping, aborting: stopping });
  expect(await world.takeMails()).toStrictEqual([]);
});

/** What administrators see: only with users:write, and only what is in their reach. */
import { describe, expect, test } from 'vitest';
import { err, ok } from '#domain/result.ts';
import { newId } from '#test/support/builders.ts';
import { makeDeletionWorld } from './deletion-world.ts';

const ALL = { status: null, orgId: null, limit: 50, offset: 0 } as const;

describe('without users:write', () => {
  test('nothing is shown, not even whether a request exists', async () => {
    const world = await makeDeletionWorld();
    const { id } = await world.submit('of A');
    const call = await world.callBy('staff of P', { permissions: [] });
    const { listDeletions, countPendingDeletions, readDeletion } = world.deletions;
    for (const answer of [
      await listDeletions(call, ALL),
      await countPendingDeletions(call, null),
      await readDeletion(call, id),
      await readDeletion(call, newId()),
      await world.readAuditLog(call, {
        ...{
          action: null,
          actorId: null,
          actor: null,
          result: null,
          resourceId: null,
          orgId: null,
          from: null,
          to: null,
          after: null,
        },
        limit: 1,
      }),
    ]) {
      expect(answer).toMatchObject(err({ code: 'forbidden' }));
    }
  });
});

test('with users:write, no MFA is required, and an API key is enough', async () => {
  const world = await makeDeletionWorld();
  const request = await world.submit('of A');
  for (const options of [{ mfa: 'none' }, { withApiKey: true }] as const) {
    const call = await world.callBy('staff of P', options);
    const { id, email, name } = world.staff.people['of A'];
    const found = { request, user: { id, email, name }, deciderName: null };
    expect(await world.deletions.listDeletions(call, ALL)).toStrictEqual(ok({ requests: [found], total: 1 }));
    expect(await world.deletions.countPendingDeletions(call, null)).toStrictEqual(ok(1));
    expect(await world.deletions.readDeletion(call, request.id)).toStrictEqual(ok(found));
  }
});

test('a request out of reach is answered like an unknown one', async () => {
  const world = await makeDeletionWorld();
  const { id } = await world.submit('of A');
  const call = await world.callBy('of B');
  const answer = await world.deletions.readDeletion(call, id);
  expect(answer).toMatchObject(err({ code: 'not_found' }));
  expect(await world.deletions.readDeletion(call, newId())).toStrictEqual(answer);
});

/** What every store of deletion requests promises to those who read. */
import { type DeletionRequest, verdictOf } from '#domain/deletion/deletion-request.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import {
  aCancelledRequest,
  aCompletedRequest,
  aPendingRequest,
  aProcessingRequest,
} from '#test/support/deletions.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { createStaff, PERSON_NAMES, putRequest, REACHED, type Staff } from './staff.ts';

const ALL = { status: null, orgId: null, limit: 200, offset: 0 } as const;

/** Requests of one person in each closed or approved state, a minute apart, oldest first. */
async function putHistory(backend: ContractBackend, staff: Staff): Promise<readonly DeletionRequest[]> {
  const { userId, orgId, partnerId } = staff.requestOf('of A');
  const by = staff.people['staff of P'].id;
  const facts = (minute: number) => ({
    ...{ userId, orgId, partnerId },
    reason: `reason ${minute} ü 🖨`,
    ...timesOf(minute),
  });
  const requests: readonly DeletionRequest[] = [
    aCancelledRequest(facts(0)),
    aCancelledRequest({ ...facts(1), verdict: { at: SOME_INSTANT + 90_000, by, note: 'not yet\n"ü"' } }),
    aCompletedRequest({ ...facts(2), reason: null, verdict: { at: SOME_INSTANT + 150_000, by, note: null } }),
    aProcessingRequest({ ...facts(3), verdict: { at: SOME_INSTANT + 200_000, by, note: 'as asked' } }),
  ];
  for (const request of requests) await putRequest(backend, request);
  return requests;
}

function timesOf(minute: number) {
  const { requestedAt, processBy, createdAt, updatedAt } = aPendingRequest({
    requestedAt: SOME_INSTANT + minute * 60_000,
  });
  return { requestedAt, processBy, createdAt, updatedAt };
}

export function testDeletionRequestReader(backend: () => ContractBackend): void {
  const reader = () => backend().deletionRequests;

  describe('DeletionRequestReader', () => {
    test('finds a request in every status, with all its fields and its user', async () => {
      const staff = await createStaff(backend());
      const { id, email, name } = staff.people['of A'];
      for (const request of await putHistory(backend(), staff)) {
        const decider = PERSON_NAMES.find((each) => staff.people[each].id === verdictOf(request)?.by);
        expect(await reader().find(SYSTEM_SCOPE, request.id)).toStrictEqual({
          request,
          user: { id, email, name },
          deciderName: decider === undefined ? null : staff.people[decider].name,
        });
      }
    });

    test('finds nothing if there are no requests', async () => {
      const { scopes } = await createStaff(backend());
      const scope = scopes['organization A'] ?? SYSTEM_SCOPE;
      expect([
        await reader().find(SYSTEM_SCOPE, newId()),
        await reader().findLatestOf(newId()),
        await reader().list(scope, ALL),
        await reader().countPending(scope),
        await reader().findNotes(scope, []),
        await reader().findNotes(scope, [newId()]),
      ]).toStrictEqual([null, null, { requests: [], total: 0 }, 0, new Map(), new Map()]);
    });

    test.each(Object.entries(REACHED))('in the scope of %s, reaches %j', async (scopeName, reached) => {
      const staff = await createStaff(backend());
      const requests = PERSON_NAMES.map((name) => [name, staff.requestOf(name)] as const);
      for (const [, request] of requests) await putRequest(backend(), request);
      const scope = staff.scopes[scopeName] ?? SYSTEM_SCOPE;
      const own = new Set(requests.map(([, { id }]) => id));
      const found = [];
      for (const [name, { id }] of requests) if (await reader().find(scope, id)) found.push(name);
      const { requests: listed, total } = await reader().list(scope, ALL);
      const names = listed.flatMap(({ request }) =>
        requests.filter(([, { id }]) => id === request.id).map(([name]) => name),
      );
      expect(found).toStrictEqual(reached);
      expect(names.toReversed()).toStrictEqual(reached);
      if (scopeName === 'system') return;
      // The system sees those of other tests as well.
      expect(listed.every(({ request }) => own.has(request.id))).toBe(true);
      expect(total).toBe(reached.length);
      expect(await reader().countPending(scope)).toBe(reached.length);
    });

    test('lists by status, newest first, ties by descending id', async () => {
      const staff = await createStaff(backend());
      const scope = staff.scopes['partner P'] ?? SYSTEM_SCOPE;
      const history = await putHistory(backend(), staff);
      const twins = [staff.requestOf('of B', timesOf(1)), staff.requestOf('staff of P', timesOf(1))];
      for (const twin of twins) await putRequest(backend(), twin);
      const idsOf = async (status: DeletionRequest['status'] | null) =>
        (await reader().list(scope, { ...ALL, status })).requests.map(({ request }) => request.id);
      const [withdrawn, rejected, completed, processing] = history.map(({ id }) => id);
      const [first, second] = twins.map(({ id }) => id);
      expect(await idsOf(null)).toStrictEqual([processing, completed, second, first, rejected, withdrawn]);
      expect(await idsOf('pending')).toStrictEqual([second, first]);
      expect(await idsOf('processing')).toStrictEqual([processing]);
      expect(await idsOf('completed')).toStrictEqual([completed]);
      expect(await idsOf('cancelled')).toStrictEqual([rejected, withdrawn]);
      expect(await reader().countPending(scope)).toBe(2);
    });

    test('lists requests of one organization, also of people who moved to another in reach', async () => {
      const staff = await createStaff(backend());
      const { userId, orgId, partnerId } = staff.requestOf('of A');
      const closed = aCancelledRequest({ userId, orgId, partnerId });
      const open = staff.requestOf('of B');
      for (const request of [closed, open, staff.requestOf('staff of P')]) {
        await putRequest(backend(), request);
      }
      const { membership } = staff.people['of B'];
      await loadFleet(backend(), [{ ...staff.people['of A'], membership }]);
      const listed = async (id: OrgId) => {
        const scope = staff.scopes['partner P'] ?? SYSTEM_SCOPE;
        const { requests, total } = await reader().list(scope, { ...ALL, orgId: id });
        return [requests.map(({ request, user }) => [request.id, user.email]), total];
      };
      expect(await listed(staff.a)).toStrictEqual([[[closed.id, staff.people['of A'].email]], 1]);
      expect(await listed(staff.b)).toStrictEqual([[[open.id, staff.people['of B'].email]], 1]);
      expect(await listed(newId())).toStrictEqual([[], 0]);
    });

    test('pages the requests in reach, and counts them all', async () => {
      const staff = await createStaff(backend());
      const history = await putHistory(backend(), staff);
      await putRequest(backend(), staff.requestOf('of C', timesOf(9)));
      await putRequest(backend(), staff.requestOf('of B', timesOf(8)));
      const scope = staff.scopes['organization A'] ?? SYSTEM_SCOPE;
      const pages = [];
      for (const offset of [0, 2, 4]) pages.push(await reader().list(scope, { ...ALL, limit: 2, offset }));
      expect(
        pages.map(({ requests, total }) => [requests.map(({ request }) => request.id), total]),
      ).toStrictEqual([
        [
          history
            .slice(2)
            .map(({ id }) => id)
            .toReversed(),
          4,
        ],
        [
          history
            .slice(0, 2)
            .map(({ id }) => id)
            .toReversed(),
          4,
        ],
        [[], 4],
      ]);
    });

    test('gives the latest request of a user: the open one, else the newest', async () => {
      const staff = await createStaff(backend());
      const latest = () => reader().findLatestOf(staff.people['of A'].id);
      const older = aCancelledRequest({ ...staff.requestOf('of A', timesOf(0)), status: 'cancelled' });
      const newer = aCancelledRequest({ ...staff.requestOf('of A', timesOf(5)), status: 'cancelled' });
      await putRequest(backend(), newer);
      await putRequest(backend(), older);
      expect(await latest()).toStrictEqual(newer);
      // Made while the clock was set back.
      const open = staff.requestOf('of A', timesOf(3));
      await putRequest(backend(), open);
      expect(await latest()).toStrictEqual(open);
      expect(await reader().findLatestOf(staff.people['of B'].id)).toBeNull();
    });

    test('gives the notes of requests in reach', async () => {
      const staff = await createStaff(backend());
      const history = await putHistory(backend(), staff);
      const ids = history.map(({ id }) => id);
      const [, rejected, , processing] = ids;
      const notes = new Map([
        [rejected, 'not yet\n"ü"'],
        [processing, 'as asked'],
      ]);
      expect(await reader().findNotes(staff.scopes['partner P'] ?? SYSTEM_SCOPE, ids)).toStrictEqual(notes);
      expect(await reader().findNotes(staff.scopes['partner Q'] ?? SYSTEM_SCOPE, ids)).toStrictEqual(
        new Map(),
      );
    });

    test('is not affected by changes to a request object that was read', async () => {
      const staff = await createStaff(backend());
      const request = staff.requestOf('of A');
      await putRequest(backend(), request);
      Reflect.set((await reader().findLatestOf(request.userId)) ?? {}, 'status', 'completed');
      Reflect.set((await reader().find(SYSTEM_SCOPE, request.id))?.request ?? {}, 'reason', 'changed');
      expect(await reader().findLatestOf(request.userId)).toStrictEqual(request);
    });
  });
}

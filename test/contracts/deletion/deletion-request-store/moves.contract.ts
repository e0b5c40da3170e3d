/** What every store of deletion requests promises of people who move: open requests go along, closed ones stay. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope, partnerScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aCancelledRequest, aProcessingRequest } from '#test/support/deletions.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { attributionOf, createStaff, putRequest, type Staff } from './staff.ts';

const ALL = { status: null, orgId: null, limit: 200, offset: 0 } as const;

/** Where a person of organization A moves, and a scope that sees their request then. */
const MOVES: readonly (readonly [string, (staff: Staff) => Membership, (staff: Staff) => AccessScope])[] = [
  [
    'another organization of the partner',
    ({ b }) => ({ scope: 'organization', orgId: b }),
    ({ b }) => orgScope(b),
  ],
  [
    'an organization of another partner',
    ({ people }) => people['of C'].membership,
    ({ scopes }) => scopes['partner Q'] ?? SYSTEM_SCOPE,
  ],
  [
    'the staff of their partner',
    ({ p }) => ({ scope: 'partner', partnerId: p, orgIds: null }),
    ({ p }) => partnerScope(p, []),
  ],
  ['the staff of the platform', () => ({ scope: 'system' }), () => SYSTEM_SCOPE],
];

export function testDeletionRequestMoves(backend: () => ContractBackend): void {
  const seenBy = async (scope: AccessScope, id: string) => {
    const { requests, total } = await backend().deletionRequests.list(scope, ALL);
    return {
      isListed: requests.some(({ request }) => request.id === id),
      isWhole: requests.length === total,
      pending: await backend().deletionRequests.countPending(scope),
    };
  };

  describe('the deletion request of somebody who moves', () => {
    test.each(MOVES)('moves along to %s while it is open', async (_where, membershipOf, newScopeOf) => {
      const staff = await createStaff(backend());
      const person = staff.people['of A'];
      const pending = staff.requestOf('of A');
      await putRequest(backend(), pending);
      const membership = membershipOf(staff);
      await loadFleet(backend(), [{ ...person, membership }]);
      const oldScope = orgScope(staff.a);
      expect(await backend().deletionRequests.find(oldScope, pending.id)).toBeNull();
      expect(await seenBy(oldScope, pending.id)).toStrictEqual({
        isListed: false,
        isWhole: true,
        pending: 0,
      });
      const decided = backend().unitOfWork(oldScope, async (tx) => {
        expect(await tx.deletions.findForUpdate(pending.id)).toBeNull();
        expect(await tx.deletions.findPerson(person.id)).toBeNull();
        await tx.deletions.advance('pending', aCancelledRequest({ ...pending, status: 'cancelled' }));
      });
      await expect(decided).rejects.toThrow(pending.id);
      const newScope = newScopeOf(staff);
      const moved = { ...pending, ...attributionOf(membership) };
      expect(await backend().deletionRequests.find(newScope, pending.id)).toStrictEqual({
        request: moved,
        user: { id: person.id, email: person.email, name: person.name },
        deciderName: null,
      });
      expect(await seenBy(newScope, pending.id)).toMatchObject({ isListed: true, isWhole: true });
      expect(
        await backend().unitOfWork(newScope, (tx) => tx.deletions.findForUpdate(pending.id)),
      ).toStrictEqual(moved);
    });

    test('moves along while it is approved and due', async () => {
      const staff = await createStaff(backend());
      const { userId, orgId, partnerId } = staff.requestOf('of A');
      const by = staff.people['staff of P'].id;
      const approved = aProcessingRequest({
        ...{ userId, orgId, partnerId },
        verdict: { at: SOME_INSTANT, by, note: 'as asked' },
      });
      await putRequest(backend(), approved);
      const { membership } = staff.people['of C'];
      await loadFleet(backend(), [{ ...staff.people['of A'], membership }]);
      expect(await backend().deletionRequests.findLatestOf(userId)).toStrictEqual({
        ...approved,
        ...attributionOf(membership),
      });
      expect(await backend().deletionRequests.findNotes(orgScope(staff.a), [approved.id])).toStrictEqual(
        new Map(),
      );
    });

    test('stays where it was closed, without name and email of a person now out of reach', async () => {
      const staff = await createStaff(backend());
      const { userId, orgId, partnerId } = staff.requestOf('of A');
      const closed = aCancelledRequest({ userId, orgId, partnerId });
      await putRequest(backend(), closed);
      await loadFleet(backend(), [
        { ...staff.people['of A'], membership: staff.people['of C'].membership, name: 'A new name' },
      ]);
      const oldScope = orgScope(staff.a);
      const forReview = { request: closed, user: { id: userId, email: null, name: null }, deciderName: null };
      expect(await backend().deletionRequests.find(oldScope, closed.id)).toStrictEqual(forReview);
      expect((await backend().deletionRequests.list(oldScope, ALL)).requests).toStrictEqual([forReview]);
      const newScope = staff.scopes['partner Q'] ?? SYSTEM_SCOPE;
      expect(await backend().deletionRequests.find(newScope, closed.id)).toBeNull();
    });

    test('does not change if a load keeps the person where they are', async () => {
      const staff = await createStaff(backend());
      const pending = staff.requestOf('of A');
      await putRequest(backend(), pending);
      await loadFleet(backend(), [{ ...staff.people['of A'], name: 'A new name' }]);
      expect(await backend().deletionRequests.findLatestOf(pending.userId)).toStrictEqual(pending);
    });
  });
}

/** What every store of deletion requests promises to transactions: one open request a user, and no lost update. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aCancelledRequest, aPendingRequest, aProcessingRequest } from '#test/support/deletions.ts';
import { createStaff, putRequest, REACHED, type Staff } from './staff.ts';

export function testDeletionRequestWriter(backend: () => ContractBackend): void {
  const find = async (id: DeletionRequest['id']) =>
    (await backend().deletionRequests.find(SYSTEM_SCOPE, id))?.request ?? null;
  const approved = (staff: Staff, request = staff.requestOf('of A')) =>
    aProcessingRequest({
      ...request,
      status: 'processing',
      verdict: { at: SOME_INSTANT + 5, by: staff.people['staff of P'].id, note: 'as asked' },
      updatedAt: SOME_INSTANT + 5,
    });
  const withdrawn = (staff: Staff, request = staff.requestOf('of A')) =>
    aCancelledRequest({ ...request, status: 'cancelled', updatedAt: SOME_INSTANT + 6 });

  describe('DeletionRequestWriter', () => {
    test('adds, finds and advances a request, and shows it to nobody before the commit', async () => {
      const staff = await createStaff(backend());
      const request = staff.requestOf('of A', { reason: 'I have left' });
      const next = approved(staff, request);
      const seen = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.deletions.add(request);
        const added = await tx.deletions.findForUpdate(request.id);
        await tx.deletions.advance('pending', next);
        return {
          added,
          advanced: await tx.deletions.findForUpdate(request.id),
          latest: await tx.deletions.findLatestOf(request.userId),
          outside: await find(request.id),
        };
      });
      expect(seen).toStrictEqual({ added: request, advanced: next, latest: next, outside: null });
      expect(await find(request.id)).toStrictEqual(next);
    });

    test('accepts a verdict by an unknown user', async () => {
      const request = (await createStaff(backend())).requestOf('of A');
      await putRequest(backend(), request);
      const verdict = { at: SOME_INSTANT + 5, by: newId<'user'>(), note: null };
      const next = aProcessingRequest({ ...request, status: 'processing', verdict, updatedAt: verdict.at });
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.advance('pending', next));
      expect(await find(request.id)).toStrictEqual(next);
    });

    test('undoes everything when the work throws', async () => {
      const staff = await createStaff(backend());
      const [own, other] = [staff.requestOf('of A'), staff.requestOf('of B')];
      await putRequest(backend(), own);
      const failure = new Error('the work failed');
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.deletions.add(other);
        await tx.deletions.advance('pending', approved(staff, own));
        throw failure;
      });
      await expect(work).rejects.toBe(failure);
      expect([await find(own.id), await find(other.id)]).toStrictEqual([own, null]);
    });

    test.each<[string, (staff: Staff, first: DeletionRequest) => DeletionRequest]>([
      ['pending', (_staff, first) => first],
      ['processing', (staff, first) => approved(staff, { ...first, status: 'pending' } as never)],
    ])('refuses a second request beside one that is %s', async (_status, stateOf) => {
      const staff = await createStaff(backend());
      await putRequest(backend(), stateOf(staff, staff.requestOf('of A')));
      const second = staff.requestOf('of A');
      await expect(backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.add(second))).rejects.toThrow();
      expect(await find(second.id)).toBeNull();
    });

    test('accepts a second request beside one that is cancelled', async () => {
      const staff = await createStaff(backend());
      await putRequest(backend(), withdrawn(staff));
      const second = staff.requestOf('of A');
      await putRequest(backend(), second);
      expect(await find(second.id)).toStrictEqual(second);
    });

    test.each<[string, (staff: Staff) => Partial<DeletionRequest>]>([
      ['of an unknown user', () => ({ userId: newId() })],
      ['of an unknown organization', () => ({ orgId: newId() })],
    ])('refuses a request %s', async (_what, change) => {
      const staff = await createStaff(backend());
      const request = aPendingRequest({ ...staff.requestOf('of A'), ...(change(staff) as object) });
      await expect(backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.add(request))).rejects.toThrow();
    });

    test('advances only from the current status', async () => {
      const staff = await createStaff(backend());
      const request = staff.requestOf('of A');
      await putRequest(backend(), request);
      const advance = (from: DeletionRequest['status'], next: DeletionRequest) =>
        backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.advance(from, next));
      for (const from of ['processing', 'completed', 'cancelled'] as const) {
        await expect(advance(from, approved(staff, request))).rejects.toThrow(/is not/);
      }
      await expect(advance('pending', approved(staff))).rejects.toThrow(/is not/);
      expect(await find(request.id)).toStrictEqual(request);
      await advance('pending', withdrawn(staff, request));
      await expect(advance('pending', approved(staff, request))).rejects.toThrow(/is not/);
      expect(await find(request.id)).toStrictEqual(withdrawn(staff, request));
    });

    test('lets only one of ten concurrent writers advance a request, and shows the others the result', async () => {
      const staff = await createStaff(backend());
      const request = staff.requestOf('of A');
      await putRequest(backend(), request);
      const write = (i: number) =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          const current = await tx.deletions.findForUpdate(request.id);
          if (current?.status !== 'pending') return current?.status;
          await tx.deletions.advance(
            'pending',
            i % 2 === 0 ? approved(staff, request) : withdrawn(staff, request),
          );
          return 'won';
        });
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => write(i)));
      const after = await find(request.id);
      expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === after?.status)).toHaveLength(9);
    });

    test('lets submissions of one user take turns by holding the account', async () => {
      const staff = await createStaff(backend());
      const { userId } = staff.requestOf('of A');
      const submit = () =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          await tx.deletions.holdAccount(userId);
          const latest = await tx.deletions.findLatestOf(userId);
          if (latest !== null) return latest.id;
          const request = staff.requestOf('of A');
          await tx.deletions.add(request);
          return request.id;
        });
      const ids = await Promise.all(Array.from({ length: 8 }, submit));
      expect(new Set(ids).size).toBe(1);
    });

    test.each(Object.entries(REACHED))(
      'in the scope of %s, finds and advances the requests of %j',
      async (name, reached) => {
        const staff = await createStaff(backend());
        const scope = staff.scopes[name] ?? SYSTEM_SCOPE;
        for (const person of ['of A', 'of B', 'of C', 'staff of P in A', 'system'] as const) {
          const request = staff.requestOf(person);
          await putRequest(backend(), request);
          const isReached = reached.includes(person);
          const found = await backend().unitOfWork(scope, (tx) => tx.deletions.findForUpdate(request.id));
          expect(found).toStrictEqual(isReached ? request : null);
          const next = aCancelledRequest({ ...request, status: 'cancelled' });
          const work = backend().unitOfWork(scope, (tx) => tx.deletions.advance('pending', next));
          await (isReached ? expect(work).resolves.toBeUndefined() : expect(work).rejects.toThrow(/is not/));
          expect(await find(request.id)).toStrictEqual(isReached ? next : request);
        }
      },
    );

    test('adds nothing out of reach', async () => {
      const staff = await createStaff(backend());
      const request = staff.requestOf('of B');
      const scope = staff.scopes['organization A'] ?? SYSTEM_SCOPE;
      await expect(backend().unitOfWork(scope, (tx) => tx.deletions.add(request))).rejects.toThrow();
      expect(await find(request.id)).toBeNull();
    });

    test.each<[string, (tx: Transaction, staff: Staff) => Promise<unknown>]>([
      ['hold an account', (tx, { people }) => tx.deletions.holdAccount(people['of A'].id)],
      ["find a user's latest", (tx, { people }) => tx.deletions.findLatestOf(people['of A'].id)],
      [
        'find candidates for the review',
        (tx, { a }) => tx.deletions.findReviewerCandidates({ orgId: a, partnerId: null }),
      ],
      ['take a reminder', (tx) => tx.deletions.takeReminder(SOME_INSTANT)],
      ['claim', (tx) => tx.deletions.claimDue(SOME_INSTANT)],
      ['set aside', (tx) => tx.deletions.setAside(newId(), { problem: 'x', failedAt: SOME_INSTANT })],
      ['erase an account', (tx, { people }) => tx.eraseAccount(people['of A'].id)],
    ])('does not %s within a narrower scope than the system', async (_what, attempt) => {
      const staff = await createStaff(backend());
      for (const name of ['organization A', 'partner P']) {
        const scope = staff.scopes[name] ?? SYSTEM_SCOPE;
        await expect(backend().unitOfWork(scope, (tx) => attempt(tx, staff))).rejects.toThrow(/system scope/);
      }
      expect(await backend().principals.findUser(staff.people['of A'].id)).not.toBeNull();
    });

    test('is not affected by changes to a request object that was passed in or found', async () => {
      const staff = await createStaff(backend());
      const given = staff.requestOf('of A');
      const before = { ...given };
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.deletions.add(given);
        Reflect.set(given, 'reason', 'changed after it was given');
        Reflect.set(
          (await tx.deletions.findForUpdate(given.id)) ?? {},
          'reason',
          'changed after it was found',
        );
      });
      expect(await find(given.id)).toStrictEqual(before);
    });

    test('refuses a request after the work has returned', async () => {
      const staff = await createStaff(backend());
      const late = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => ({ tx }));
      await expect(late.tx.deletions.add(staff.requestOf('of A'))).rejects.toThrow();
    });
  });
}

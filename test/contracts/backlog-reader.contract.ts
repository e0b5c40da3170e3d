/** What every reader of the backlog promises. The store is shared, so each test looks at what it adds. */
import type { MembershipEvaluation } from '#application/ports/live/memberships.ts';
import { beforeEach, describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, aSavedFilter, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMail } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';
import { createStaff, putRequest } from './deletion/deletion-request-store/staff.ts';
import { claimOne, createRecipient, emptyOutbox, queue, SOON } from './mail/mail-outbox/mail-desk.ts';

export function testBacklogReader(backend: () => ContractBackend): void {
  describe('BacklogReader, of mails', () => {
    beforeEach(() => emptyOutbox(backend()));

    test('is empty without mails', async () => {
      expect(await backend().readBacklog(SOON)).toMatchObject({ queuedMails: 0, oldestMailQueuedAt: null });
    });

    test('counts waiting mails and mails being sent, until they are settled', async () => {
      const to = await createRecipient(backend());
      await queue(backend(), aMail({ to }));
      await queue(backend(), aMail({ to }));
      const first = await claimOne(backend());
      const second = await claimOne(backend());
      const oldestMailQueuedAt = Math.min(first.queuedAt, second.queuedAt);
      expect(await backend().readBacklog(SOON)).toMatchObject({ queuedMails: 2, oldestMailQueuedAt });

      await backend().mailOutbox.settle(first, { status: 'sent', at: SOON });
      expect(await backend().readBacklog(SOON)).toMatchObject({
        queuedMails: 1,
        oldestMailQueuedAt: second.queuedAt,
      });

      await backend().mailOutbox.settle(second, { status: 'failed', at: SOON, problem: 'no' });
      expect(await backend().readBacklog(SOON)).toMatchObject({ queuedMails: 0, oldestMailQueuedAt: null });
    });
  });

  describe('BacklogReader, of watched filters', () => {
    test('counts marks, due timers and changes', async () => {
      const tenant = await createTenant(backend());
      const filter = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
      await backend().memberships.watch(SYSTEM_SCOPE, filter.id);
      const device = aDevice({ orgId: tenant.orgId });
      const evaluate = (work: (evaluation: MembershipEvaluation) => unknown) =>
        backend().memberships.evaluate(tenant.partnerId, async (evaluation) => {
          evaluation.setInstant(SOON);
          await work(evaluation);
          return true;
        });
      await evaluate((evaluation) => evaluation.takeMarks());
      const before = await backend().readBacklog(SOON);
      await loadFleet(backend(), [device]);
      await evaluate((evaluation) => {
        evaluation.begin(filter, [], 'v1');
        evaluation.append(filter, { type: 'degraded' });
        evaluation.setTimer(filter, device.id, SOON);
      });
      const after = await backend().readBacklog(SOON);
      expect(after).toMatchObject({
        membershipMarks: before.membershipMarks + 1,
        dueTimers: before.dueTimers + 1,
        membershipChanges: before.membershipChanges + 1,
      });
      expect(after.oldestMarkAge).toBeGreaterThan(0);
      expect((await backend().readBacklog(SOON - 1)).dueTimers).toBe(before.dueTimers);
    });
  });

  describe('BacklogReader, of deletions', () => {
    test('counts a deletion as due from its time on, and as overdue after it', async () => {
      const staff = await createStaff(backend());
      const pending = staff.requestOf('of A');
      const approved = staff.requestOf('of B');
      const verdict = { at: approved.requestedAt, by: staff.people.system.id, note: null };
      await putRequest(backend(), pending);
      await putRequest(backend(), { ...approved, status: 'processing', verdict });
      await putRequest(backend(), { ...staff.requestOf('of C'), status: 'cancelled', verdict: null });
      const added = async (now: number) => {
        const { dueDeletions, overdueDeletions } = await backend().readBacklog(now);
        return [dueDeletions, overdueDeletions] as const;
      };
      const [due, overdue] = await added(approved.processBy - 1);
      // Both requests were made at one instant, and other requests of this store may have been too.
      const [dueThen, overdueThen] = await added(approved.processBy);
      const [dueLater, overdueLater] = await added(approved.processBy + 1);
      expect(dueThen - due).toBeGreaterThanOrEqual(1);
      expect(overdueThen).toBe(overdue);
      expect(overdueLater - overdueThen).toBeGreaterThanOrEqual(2);
      expect(dueLater).toBe(dueThen);

      await backend().unitOfWork({ kind: 'system' }, (tx) =>
        tx.deletions.advance('pending', { ...pending, status: 'cancelled', verdict: null }),
      );
      expect(await added(approved.processBy + 1)).toStrictEqual([dueLater, overdueLater - 1]);
    });
  });
}

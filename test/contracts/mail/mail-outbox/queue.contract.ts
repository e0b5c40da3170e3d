/** How mails get into the outbox: with a change, once. */
import { MAIL_KINDS } from '#domain/mail/queued-mail.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeEach, describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMail, aMailOfKind } from '#test/support/mail/mails.ts';
import { createTenant } from '#test/support/tenant.ts';
import { claimOne, createRecipient, emptyOutbox, LEASE_MS, queue, SOON, summariesOf } from './mail-desk.ts';

export function testMailQueue(backend: () => ContractBackend): void {
  describe('Transaction.mail', () => {
    beforeEach(() => emptyOutbox(backend()));

    test.each(MAIL_KINDS)('queues %s with all its facts', async (kind) => {
      const to = await createRecipient(backend());
      const requester = await createRecipient(backend());
      const isForReview = kind === 'deletion-review' || kind === 'deletion-reminder';
      const mail = aMailOfKind(kind, { to, ...(isForReview && { facts: { requester } }) });
      const before = Date.now();
      await queue(backend(), mail);
      const claimed = await claimOne(backend());
      expect(claimed.mail).toStrictEqual(mail);
      expect(claimed.queuedAt).toBeGreaterThanOrEqual(before);
      expect(claimed.tryingSince).toBe(claimed.queuedAt);
      expect(await summariesOf(backend(), mail)).toStrictEqual([
        {
          id: claimed.id,
          kind,
          requestId: mail.requestId,
          status: 'queued',
          userId: to.userId,
          email: to.email,
          queuedAt: claimed.queuedAt,
          attempts: 1,
          nextAttemptAt: SOON + LEASE_MS,
          settledAt: null,
          problem: null,
        },
      ]);
    });

    test('queues a mail to somebody without a name', async () => {
      const mail = aMail({ to: { ...(await createRecipient(backend())), name: null } });
      await queue(backend(), mail);
      expect((await claimOne(backend())).mail).toStrictEqual(mail);
    });

    test('queues mails in every scope, also to people out of reach', async () => {
      const { orgId, partnerId } = await createTenant(backend());
      const scopes = [orgScope(orgId), partnerScope(partnerId, []), SYSTEM_SCOPE];
      for (const scope of scopes) {
        const mail = aMail({ to: await createRecipient(backend()) });
        await queue(backend(), mail, scope);
        expect(await summariesOf(backend(), mail)).toHaveLength(1);
      }
    });

    test('skips a second mail of the same kind, recipient and request, even if the first was sent', async () => {
      const to = await createRecipient(backend());
      const mail = aMail({ to });
      await queue(backend(), mail);
      await queue(backend(), { ...mail, to: { ...to, email: 'elsewhere@example.com' } });
      const claimed = await claimOne(backend());
      await backend().mailOutbox.settle(claimed, { status: 'sent', at: SOON });
      await queue(backend(), mail);
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.mail(mail);
        await tx.mail(mail);
      });
      expect(await summariesOf(backend(), mail)).toHaveLength(1);
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
    });

    test('queues one mail for each kind, request and recipient', async () => {
      const [to, other] = [await createRecipient(backend()), await createRecipient(backend())];
      const requestId = newId<'deletion-request'>();
      await queue(backend(), aMail({ to, requestId }));
      await queue(backend(), aMail({ to: other, requestId }));
      await queue(backend(), aMailOfKind('deletion-rejected', { to, requestId }));
      await queue(backend(), aMail({ to }));
      expect(await summariesOf(backend(), { requestId })).toHaveLength(3);
    });

    test('queues nothing when the work throws', async () => {
      const mail = aMail({ to: await createRecipient(backend()) });
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.mail(mail);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(await summariesOf(backend(), mail)).toStrictEqual([]);
    });

    test('is not affected by changes to a mail object that was passed in or claimed', async () => {
      const to = { ...(await createRecipient(backend())) };
      const mail = aMail({ to });
      const expected = structuredClone(mail);
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.mail(mail);
        to.name = 'changed after it was given';
      });
      const claimed = await claimOne(backend());
      expect(claimed.mail).toStrictEqual(expected);
      Reflect.set(claimed.mail.to, 'name', 'changed after it was claimed');
      expect((await claimOne(backend(), SOON + LEASE_MS)).mail).toStrictEqual(expected);
    });

    test('keeps every text as it was typed', async () => {
      const texts = ['\r\n.\r\nDATA', '<b>', '\u202e', '👩‍💻', '"\\', "'; drop table app_user --", ' '];
      const to = await createRecipient(backend());
      for (const adminNote of texts) {
        const mail = aMailOfKind('deletion-rejected', { to, facts: { adminNote } });
        await queue(backend(), mail);
        expect((await claimOne(backend())).mail).toStrictEqual(mail);
      }
    });

    test('refuses a mail after the work has returned', async () => {
      const late = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => ({ tx }));
      await expect(late.tx.mail(aMail())).rejects.toThrow();
    });
  });
}

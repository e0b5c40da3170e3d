/** Claiming and settling: each mail has one worker, and a dead worker does not block it. */
import { LONGEST_RETRY_DELAY_MS } from '#domain/mail/queued-mail.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeEach, describe, expect, test } from '#test/contracts/test-functions.ts';
import { aMail } from '#test/support/mail/mails.ts';
import {
  claimOne,
  createRecipient,
  emptyOutbox,
  LEASE_MS,
  QUEUED_AFTER,
  queue,
  SOON,
  summariesOf,
} from './mail-desk.ts';

export function testMailClaims(backend: () => ContractBackend): void {
  describe('MailOutbox claims', () => {
    beforeEach(() => emptyOutbox(backend()));

    const queueOne = async () => {
      const mail = aMail({ to: await createRecipient(backend()) });
      await queue(backend(), mail);
      return mail;
    };

    test('gives nothing if nothing is due', async () => {
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
      await queueOne();
      expect(await backend().mailOutbox.claim(QUEUED_AFTER, LEASE_MS)).toBeNull();
    });

    test('gives a mail that was put off while the clock was ahead, after mails that are due', async () => {
      await queueOne();
      const late = await claimOne(backend());
      const settled = (nextAttemptAt: number) =>
        ({ status: 'queued', nextAttemptAt, problem: '451' }) as const;
      await backend().mailOutbox.settle(late, settled(SOON + LONGEST_RETRY_DELAY_MS));
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
      const ahead = await claimOne(backend(), SOON + LONGEST_RETRY_DELAY_MS);
      await backend().mailOutbox.settle(ahead, settled(SOON + LONGEST_RETRY_DELAY_MS + 1));
      const due = await queueOne();
      expect((await claimOne(backend())).mail.requestId).toBe(due.requestId);
      expect(await claimOne(backend())).toMatchObject({ id: late.id, attempts: 3 });
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
    });

    test('never gives a mail that the worker says it has already', async () => {
      await queueOne();
      await queueOne();
      const { id } = await claimOne(backend());
      const { mailOutbox } = backend();
      for (const now of [SOON + 86_400_000, SOON - 86_400_000]) {
        const next = await mailOutbox.claim(now, LEASE_MS, [id]);
        expect(next).not.toBeNull();
        expect(next?.id).not.toBe(id);
        expect(await mailOutbox.claim(now, LEASE_MS, [id, ...(next === null ? [] : [next.id])])).toBeNull();
      }
    });

    test('gives a mail that was just queued, by the shared clock', async () => {
      const { mailOutbox, sharedClock } = backend();
      for (let i = 0; i < 20; i++) {
        const { requestId } = await queueOne();
        const now = await sharedClock();
        expect(Number.isInteger(now)).toBe(true);
        expect((await mailOutbox.claim(now, LEASE_MS))?.mail.requestId).toBe(requestId);
      }
    });

    test('gives the mail that has been due longest first', async () => {
      const first = await queueOne();
      const second = await queueOne();
      expect((await claimOne(backend())).mail.requestId).toBe(first.requestId);
      expect((await claimOne(backend())).mail.requestId).toBe(second.requestId);
    });

    test('gives a mail again only after its lease has ended', async () => {
      await queueOne();
      const first = await claimOne(backend());
      expect(await backend().mailOutbox.claim(SOON + LEASE_MS - 1, LEASE_MS)).toBeNull();
      const second = await claimOne(backend(), SOON + LEASE_MS);
      expect(second).toStrictEqual({ ...first, claim: second.claim, attempts: 2 });
      expect(second.claim).not.toBe(first.claim);
    });

    test('keeps a mail with its worker as long as the claim is renewed', async () => {
      await queueOne();
      const first = await claimOne(backend());
      expect(await backend().mailOutbox.renew(first, SOON + LEASE_MS - 1, LEASE_MS)).toBe(true);
      expect(await backend().mailOutbox.claim(SOON + LEASE_MS, LEASE_MS)).toBeNull();
      const end = SOON + 2 * LEASE_MS - 1;
      expect(await backend().mailOutbox.claim(end - 1, LEASE_MS)).toBeNull();
      expect((await claimOne(backend(), end)).id).toBe(first.id);
    });

    test('renews no claim that was taken over or has ended', async () => {
      await queueOne();
      const first = await claimOne(backend());
      const second = await claimOne(backend(), SOON + LEASE_MS);
      expect(await backend().mailOutbox.renew(first, SOON * 2, LEASE_MS)).toBe(false);
      const nextAttemptAt = SOON + 3 * LEASE_MS;
      await backend().mailOutbox.settle(second, { status: 'queued', nextAttemptAt, problem: '451' });
      expect(await backend().mailOutbox.renew(second, SOON * 2, LEASE_MS)).toBe(false);
      expect((await claimOne(backend(), nextAttemptAt)).id).toBe(first.id);
    });

    test('gives each of 40 mails to only one of 8 concurrent workers', async () => {
      const to = await createRecipient(backend());
      for (let i = 0; i < 40; i++) await queue(backend(), aMail({ to }));
      const claimed = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const mine: string[] = [];
          for (;;) {
            const mail = await backend().mailOutbox.claim(SOON, LEASE_MS);
            if (mail === null) return mine;
            mine.push(mail.id);
          }
        }),
      );
      expect(claimed.flat()).toHaveLength(40);
      expect(new Set(claimed.flat()).size).toBe(40);
    });

    test('forgets address and contents of a mail that was sent', async () => {
      const mail = await queueOne();
      const claimed = await claimOne(backend());
      expect(await backend().mailOutbox.settle(claimed, { status: 'sent', at: SOON })).toBe(true);
      expect(await summariesOf(backend(), mail)).toStrictEqual([
        expect.objectContaining({
          status: 'sent',
          email: null,
          settledAt: SOON,
          nextAttemptAt: null,
          problem: null,
        }),
      ]);
      expect(await backend().mailOutbox.claim(SOON * 2, LEASE_MS)).toBeNull();
    });

    test('keeps a mail for its next attempt, with the problem and the count of attempts', async () => {
      const mail = await queueOne();
      const claimed = await claimOne(backend());
      const nextAttemptAt = SOON + 30_000;
      await backend().mailOutbox.settle(claimed, { status: 'queued', nextAttemptAt, problem: '451 busy' });
      expect(await summariesOf(backend(), mail)).toStrictEqual([
        expect.objectContaining({ status: 'queued', nextAttemptAt, attempts: 1, problem: '451 busy' }),
      ]);
      expect(await backend().mailOutbox.claim(nextAttemptAt - 1, LEASE_MS)).toBeNull();
      const again = await claimOne(backend(), nextAttemptAt);
      expect(again).toStrictEqual({ ...claimed, claim: again.claim, attempts: 2 });
    });

    test('clears the problem when the mail is sent after all', async () => {
      const mail = await queueOne();
      await backend().mailOutbox.settle(await claimOne(backend()), {
        status: 'queued',
        nextAttemptAt: SOON,
        problem: '451 busy',
      });
      await backend().mailOutbox.settle(await claimOne(backend()), { status: 'sent', at: SOON });
      expect((await summariesOf(backend(), mail))[0]?.problem).toBeNull();
    });

    test('does not give a failed mail again, and keeps it visible', async () => {
      const mail = await queueOne();
      const settlement = { status: 'failed', at: SOON, problem: '550 no such user' } as const;
      await backend().mailOutbox.settle(await claimOne(backend()), settlement);
      expect(await backend().mailOutbox.claim(SOON * 2, LEASE_MS)).toBeNull();
      const seen = expect.objectContaining({
        status: 'failed',
        email: mail.to.email,
        settledAt: SOON,
        problem: '550 no such user',
      });
      expect(await summariesOf(backend(), mail)).toStrictEqual([seen]);
    });

    test('refuses to settle a claim that was lost or settled before', async () => {
      const mail = await queueOne();
      const first = await claimOne(backend());
      const second = await claimOne(backend(), SOON + LEASE_MS);
      expect(await backend().mailOutbox.settle(first, { status: 'sent', at: SOON })).toBe(false);
      expect((await summariesOf(backend(), mail))[0]?.status).toBe('queued');
      expect(await backend().mailOutbox.settle(second, { status: 'sent', at: SOON })).toBe(true);
      const failed = { status: 'failed', at: SOON, problem: 'late' } as const;
      expect(await backend().mailOutbox.settle(second, failed)).toBe(false);
      expect((await summariesOf(backend(), mail))[0]?.status).toBe('sent');
    });
  });
}

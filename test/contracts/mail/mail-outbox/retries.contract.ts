/** What an operator sees of the outbox and does with it. */
import type { MailId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeEach, describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId } from '#test/support/builders.ts';
import { aMail } from '#test/support/mail/mails.ts';
import { claimOne, createRecipient, emptyOutbox, LEASE_MS, queue, SOON, summariesOf } from './mail-desk.ts';

export function testMailRetries(backend: () => ContractBackend): void {
  describe('MailOutbox for its operator', () => {
    beforeEach(async () => {
      await backend().mailOutbox.withdrawFailedBefore(SOON * 2, SOON);
      await emptyOutbox(backend());
    });

    const queueOne = async () => {
      const mail = aMail({ to: await createRecipient(backend()) });
      await queue(backend(), mail);
      return mail;
    };
    const failOne = async () => {
      const mail = await queueOne();
      const { id } = await claimOne(backend()).then(async (claimed) => {
        await backend().mailOutbox.settle(claimed, { status: 'failed', at: SOON, problem: '550 no' });
        return claimed;
      });
      return { id, mail };
    };

    test('lists mails by status, newest first, up to the limit', async () => {
      const mails = [await failOne(), await failOne(), await failOne()];
      const ids = mails.map(({ id }) => id).toReversed();
      const idsOf = async (limit: number) =>
        (await backend().mailOutbox.list('failed', limit)).map(({ id }) => id);
      expect(await idsOf(100)).toStrictEqual(ids);
      expect(await idsOf(2)).toStrictEqual(ids.slice(0, 2));
      const [newest] = await backend().mailOutbox.list(null, 1);
      expect(newest?.id).toBe(ids[0]);
    });

    test('retries a failed mail at once, and counts its attempts from 0', async () => {
      const { id, mail } = await failOne();
      expect(await backend().mailOutbox.retry(id, SOON + 5)).toStrictEqual(ok(undefined));
      expect(await summariesOf(backend(), mail)).toStrictEqual([
        expect.objectContaining({ status: 'queued', attempts: 0, nextAttemptAt: SOON + 5, settledAt: null }),
      ]);
      const claimed = await claimOne(backend(), SOON + 5);
      expect(claimed).toMatchObject({ id, mail, attempts: 1, tryingSince: SOON + 5 });
    });

    test('retries a mail that waits for its next attempt', async () => {
      await queueOne();
      const claimed = await claimOne(backend());
      const later = { status: 'queued', nextAttemptAt: SOON + 999_999, problem: 'busy' } as const;
      await backend().mailOutbox.settle(claimed, later);
      expect(await backend().mailOutbox.retry(claimed.id, SOON)).toStrictEqual(ok(undefined));
      expect((await claimOne(backend(), SOON)).id).toBe(claimed.id);
    });

    test('does not retry a mail that is being sent, unless its worker has died', async () => {
      await queueOne();
      const { id } = await claimOne(backend());
      expect(await backend().mailOutbox.retry(id, SOON)).toStrictEqual(err('being-sent'));
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
      expect(await backend().mailOutbox.retry(id, SOON + LEASE_MS)).toStrictEqual(ok(undefined));
    });

    test('refuses mails that were sent or withdrawn or are unknown', async () => {
      await queueOne();
      const sent = await claimOne(backend());
      await backend().mailOutbox.settle(sent, { status: 'sent', at: SOON });
      const { id: withdrawn } = await failOne();
      await backend().mailOutbox.withdrawFailedBefore(SOON + 1, SOON);
      const retry = (id: MailId) => backend().mailOutbox.retry(id, SOON);
      expect(await retry(sent.id)).toStrictEqual(err('sent'));
      expect(await retry(withdrawn)).toStrictEqual(err('withdrawn'));
      expect(await retry(newId())).toStrictEqual(err('unknown'));
    });

    test('retries every failed mail and nothing else', async () => {
      await queueOne();
      const sent = await claimOne(backend());
      await backend().mailOutbox.settle(sent, { status: 'sent', at: SOON });
      const failed = [await failOne(), await failOne()];
      expect(await backend().mailOutbox.retryAllFailed(SOON)).toBe(2);
      expect(await backend().mailOutbox.list('failed', 10)).toStrictEqual([]);
      const claimed = [await claimOne(backend()), await claimOne(backend())];
      expect(claimed.map(({ id }) => id).toSorted()).toStrictEqual(failed.map(({ id }) => id).toSorted());
      expect(await backend().mailOutbox.retryAllFailed(SOON)).toBe(0);
    });
  });
}

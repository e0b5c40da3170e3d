/** What is forgotten: with an erased account, and with age. */
import type { MailId } from '#domain/ids.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeEach, describe, expect, test } from '#test/contracts/test-functions.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMail, aMailOfKind } from '#test/support/mail/mails.ts';
import { claimOne, createRecipient, emptyOutbox, LEASE_MS, queue, SOON, summariesOf } from './mail-desk.ts';

export function testMailForgetting(backend: () => ContractBackend): void {
  const erase = (userId: QueuedMail['to']['userId']) =>
    backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(userId));
  const statusOf = async (mail: QueuedMail) => (await summariesOf(backend(), mail))[0]?.status;

  describe('mail of an account that is erased', () => {
    beforeEach(() => emptyOutbox(backend()));

    test('is withdrawn if it is queued, to the user or about them; other mail is not', async () => {
      const [user, admin] = [await createRecipient(backend()), await createRecipient(backend())];
      const toUser = aMail({ to: user });
      const aboutUser = aMailOfKind('deletion-review', { to: admin, facts: { requester: user } });
      const reminder = aMailOfKind('deletion-reminder', { to: admin, facts: { requester: user } });
      const byUser = aMailOfKind('deletion-review', { to: user, facts: { requester: admin } });
      const gone = [toUser, aboutUser, reminder, byUser];
      const others = [
        aMail({ to: admin }),
        aMailOfKind('deletion-review', { to: admin, facts: { requester: admin } }),
      ];
      for (const mail of [...gone, ...others]) await queue(backend(), mail);
      await erase(user.userId);
      for (const mail of gone) {
        expect(await summariesOf(backend(), mail)).toStrictEqual([
          expect.objectContaining({ status: 'withdrawn', email: null, nextAttemptAt: null }),
        ]);
      }
      const left = [await claimOne(backend()), await claimOne(backend())];
      expect(left.map(({ mail }) => mail)).toStrictEqual(others);
      expect(await backend().mailOutbox.claim(SOON, LEASE_MS)).toBeNull();
    });

    test('is kept if it confirms the deletion, whether queued before or after', async () => {
      const user = await createRecipient(backend());
      const [before, after] = [
        aMailOfKind('deletion-completed', { to: user }),
        aMailOfKind('deletion-completed', { to: user }),
      ];
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.mail(before);
        await tx.eraseAccount(user.userId);
        await tx.mail(after);
      });
      expect([await statusOf(before), await statusOf(after)]).toStrictEqual(['queued', 'queued']);
    });

    test('is forgotten with its problem if it failed, and stays sent if it was sent', async () => {
      const user = await createRecipient(backend());
      const [sent, failed] = [aMail({ to: user }), aMail({ to: user })];
      await queue(backend(), sent);
      await backend().mailOutbox.settle(await claimOne(backend()), { status: 'sent', at: SOON });
      await queue(backend(), failed);
      const settlement = { status: 'failed', at: SOON, problem: '550 no' } as const;
      await backend().mailOutbox.settle(await claimOne(backend()), settlement);
      await erase(user.userId);
      expect(await statusOf(sent)).toBe('sent');
      expect(await summariesOf(backend(), failed)).toStrictEqual([
        expect.objectContaining({ status: 'withdrawn', email: null, problem: null }),
      ]);
    });

    test('is taken from the worker that is sending it', async () => {
      const user = await createRecipient(backend());
      const mail = aMail({ to: user });
      await queue(backend(), mail);
      const claimed = await claimOne(backend());
      await erase(user.userId);
      const later = { status: 'queued', nextAttemptAt: SOON, problem: 'busy' } as const;
      expect(await backend().mailOutbox.settle(claimed, later)).toBe(false);
      expect(await statusOf(mail)).toBe('withdrawn');
    });

    test('does not change when the work throws', async () => {
      const user = await createRecipient(backend());
      const mail = aMail({ to: user });
      await queue(backend(), mail);
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.eraseAccount(user.userId);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(await statusOf(mail)).toBe('queued');
    });
  });

  describe('copies that a sender kept', () => {
    const EVER = SOON * 4;
    const idOf = async (mail: QueuedMail) => (await summariesOf(backend(), mail))[0]?.id;
    const idsOf = async (mails: readonly QueuedMail[]) => (await Promise.all(mails.map(idOf))).toSorted();
    const due = async (settledBy = EVER) =>
      (await backend().mailOutbox.listCopiesDue(settledBy, 100)).toSorted();
    const send = async (mail: QueuedMail, at = SOON) => {
      await queue(backend(), mail);
      await backend().mailOutbox.settle(await claimOne(backend()), { status: 'sent', at });
    };

    beforeEach(async () => {
      await emptyOutbox(backend());
      const { mailOutbox } = backend();
      await mailOutbox.noteCopiesRemoved(await mailOutbox.listCopiesDue(EVER, 1_000_000));
    });

    test('are due for removal once somebody in the mail is erased, until they are removed', async () => {
      const [user, admin] = [await createRecipient(backend()), await createRecipient(backend())];
      const toUser = aMail({ to: user });
      const aboutUser = aMailOfKind('deletion-review', { to: admin, facts: { requester: user } });
      for (const mail of [toUser, aboutUser, aMail({ to: admin })]) await send(mail);
      expect(await due()).toStrictEqual([]);
      await erase(user.userId);
      const expected = await idsOf([toUser, aboutUser]);
      for (let times = 0; times < 2; times++) expect(await due()).toStrictEqual(expected);
      expect(await backend().mailOutbox.listCopiesDue(EVER, 1)).toHaveLength(1);
      await backend().mailOutbox.noteCopiesRemoved(expected.slice(0, 1) as MailId[]);
      expect(await due()).toStrictEqual(expected.slice(1));
    });

    test('are due for a confirmation as soon as it is sent', async () => {
      const user = await createRecipient(backend());
      const confirmation = aMailOfKind('deletion-completed', { to: user });
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.eraseAccount(user.userId);
        await tx.mail(confirmation);
      });
      const later = { status: 'queued', nextAttemptAt: SOON, problem: 'busy' } as const;
      await backend().mailOutbox.settle(await claimOne(backend()), later);
      expect(await due()).toStrictEqual([]);
      await backend().mailOutbox.settle(await claimOne(backend()), { status: 'sent', at: SOON });
      expect(await due()).toStrictEqual(await idsOf([confirmation]));
    });

    test('are due only after the mail is settled, as a sender may still be at work', async () => {
      const user = await createRecipient(backend());
      const mail = aMail({ to: user });
      await send(mail, SOON + 5);
      await erase(user.userId);
      expect(await due(SOON + 4)).toStrictEqual([]);
      expect(await due(SOON + 5)).toStrictEqual(await idsOf([mail]));
    });

    test('are due for a withdrawn mail, and again if a sender wrote a copy after their removal', async () => {
      const user = await createRecipient(backend());
      const mail = aMail({ to: user });
      await queue(backend(), mail);
      const claimed = await claimOne(backend());
      await erase(user.userId);
      expect(await due()).toStrictEqual([claimed.id]);
      await backend().mailOutbox.noteCopiesRemoved([claimed.id]);
      const later = { status: 'queued', nextAttemptAt: SOON, problem: 'busy' } as const;
      await backend().mailOutbox.settle(claimed, later);
      expect(await due()).toStrictEqual([]);
      expect(await backend().mailOutbox.settle(claimed, { status: 'sent', at: SOON })).toBe(false);
      expect(await due()).toStrictEqual([claimed.id]);
    });
  });

  describe('MailOutbox.withdrawFailedBefore', () => {
    test('forgets mails that failed before the instant, and no others', async () => {
      await emptyOutbox(backend());
      const to = await createRecipient(backend());
      const [old, recent, queued] = [aMail({ to }), aMail({ to }), aMail({ to })];
      for (const [mail, at] of [
        [old, SOON],
        [recent, SOON + 1],
      ] as const) {
        await queue(backend(), mail);
        await backend().mailOutbox.settle(await claimOne(backend()), {
          status: 'failed',
          at,
          problem: '550',
        });
      }
      await queue(backend(), queued);
      const count = await backend().mailOutbox.withdrawFailedBefore(SOON + 1, SOON + 2);
      expect(count).toBeGreaterThanOrEqual(1);
      expect(await summariesOf(backend(), old)).toStrictEqual([
        expect.objectContaining({ status: 'withdrawn', email: null, settledAt: SOON + 2 }),
      ]);
      expect([await statusOf(recent), await statusOf(queued)]).toStrictEqual(['failed', 'queued']);
    });
  });
}
